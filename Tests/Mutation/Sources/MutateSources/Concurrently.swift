import Dispatch
import Foundation
import Synchronization

/// What `body` gives for each of `0..<count`, in this order; at most `jobs` of them run at a time.
func concurrently<T: Sendable>(
    _ count: Int, jobs: Int, _ body: @escaping @Sendable (Int) throws -> T
) throws -> [T] {
    let next = Atomic(0)
    let results = Mutex<[Int: Result<T, any Error>]>([:])
    // Threads of their own: a dispatch queue has no more than there are cores.
    let done = DispatchGroup()
    for _ in 0..<jobs {
        done.enter()
        Thread.detachNewThread {
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count else { return done.leave() }
                let result = Result { try body(index) }
                results.withLock { $0[index] = result }
            }
        }
    }
    done.wait()
    return try results.withLock { results in try (0..<count).compactMap { try results[$0]?.get() } }
}
