import Dispatch
import Foundation
import HTTPBasics

/// Real time since the case began, its jobs on the lane's queue. Runs the Swift tasks of the async style there, too.
final class SocketLaneClock: LaneClock, TaskExecutor {
    private let queue: DispatchQueue
    let start: Instant

    init(_ queue: DispatchQueue) {
        self.queue = queue
        start = SocketLaneClock.uptime
    }

    /// The same clock that the server's events are stamped with.
    private static var uptime: Instant {
        Instant(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }

    /// The system's clock is not ours: no such case is played here.
    func setDate(ahead span: Duration) {}

    var now: Instant { Instant(nanoseconds: SocketLaneClock.uptime.nanoseconds - start.nanoseconds) }

    var date: Date { Date() }

    func schedule(after span: Duration, _ job: @escaping @Sendable () -> Void) {
        if span <= .zero { return queue.async(execute: job) }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: span.nanoseconds)), execute: job)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async { [self] in unowned.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
