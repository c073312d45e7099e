#if THREAD_SANITIZER
import Glibc

/// The same over a POSIX mutex: the thread sanitizer does not see what `Synchronization` does and would report every
/// guarded access as a race. `make sanitize` defines `THREAD_SANITIZER`.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    // Safety: `value` is touched under `mutex` only.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ value: consuming sending Value) {
        pthread_mutex_init(mutex, nil)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
#else
import Synchronization

/// The one kind of lock. Documentation/CONCURRENCY.md lists each of them.
package typealias Lock<Value> = Mutex<Value>
#endif
