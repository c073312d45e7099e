import Dispatch
import Locks

/// A door from a plain thread into asynchronous code.
///
/// The code runs on a queue of its own: a caller that blocks must not wait for a pool whose threads may all be blocked.
package enum Blocking {
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        let done = DispatchSemaphore(value: 0)
        Task(executorPreference: QueueTaskExecutor()) {
            do {
                outcome.set(.success(try await body()))
            } catch {
                outcome.set(.failure(error))
            }
            done.signal()
        }
        done.wait()
        return try outcome.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        private let result = Lock<Result<Value, any Error>>(.failure(CancellationError()))

        func set(_ result: Result<Value, any Error>) { self.result.withLock { $0 = result } }
        func get() throws -> Value { try result.withLock { $0 }.get() }
    }

    private final class QueueTaskExecutor: TaskExecutor {
        private let queue = DispatchQueue(label: "understudy.blocking")

        func enqueue(_ job: consuming ExecutorJob) {
            let unowned = UnownedJob(job)
            queue.async { [self] in unowned.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
