import HTTPBasics
import NIOCore

/// The one timer of a shard, lazy: it is armed anew only for an earlier deadline.
///
/// A deadline that moves later, as the request timeout does with every byte, costs nothing: the alarm goes off
/// early, and the engine that is woken looks at the real deadline and calls `move` again. Confined to its event loop.
final class DeadlineTimer: @unchecked Sendable {  // Safety: touched on the event loop only.
    private let eventLoop: any EventLoop
    private var alarm: (instant: Instant, scheduled: Scheduled<Void>)?

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// When the alarm will go off; nil while none is set.
    var armed: Instant? { alarm?.instant }

    /// Takes note of the next deadline. `fire` runs at the latest then, perhaps earlier; `nil` stops the timer.
    func move(to deadline: Instant?, fire: @escaping @Sendable () -> Void) {
        // The latest instant stands for "never"; an alarm for it would only keep its owner alive.
        guard let deadline, deadline.nanoseconds != .max else { return stop() }
        if let alarm, alarm.instant <= deadline { return }
        stop()
        let uptime = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline.nanoseconds)))
        let scheduled = eventLoop.scheduleTask(deadline: uptime) { [self] in
            alarm = nil
            fire()
        }
        alarm = (deadline, scheduled)
    }

    func stop() {
        alarm?.scheduled.cancel()
        alarm = nil
    }
}
