import Dispatch
import Locks

/// Measures how long the machine does not run us: a timer that should fire every few milliseconds, and how late it was.
final class StallMeter: @unchecked Sendable {
    // Safety: the timer is set up in `init` and cancelled in `deinit`; the rest has its lock.
    private struct State {
        var last: DispatchTime?
        var stall: Duration = .zero
    }

    private static let interval = Duration.milliseconds(5)
    private let state = Lock(State())
    private let timer: any DispatchSourceTimer

    init() {
        let queue = DispatchQueue(label: "understudy.stall", qos: .userInteractive)
        let source = DispatchSource.makeTimerSource(queue: queue)
        timer = source
        source.setEventHandler { [weak self] in self?.tick() }
        source.schedule(deadline: .now(), repeating: .milliseconds(5), leeway: .milliseconds(1))
        source.activate()
    }

    deinit { timer.cancel() }

    /// Starts counting at zero.
    func reset() {
        state.withLock { state in
            state.last = .now()
            state.stall = .zero
        }
    }

    /// All delays since the reset together; a stall that is still going on counts.
    var stall: Duration { state.withLock { $0.stall + StallMeter.lateness(since: $0.last) } }

    private func tick() {
        state.withLock { state in
            state.stall += StallMeter.lateness(since: state.last)
            state.last = .now()
        }
    }

    /// A few milliseconds are no stall.
    private static func lateness(since last: DispatchTime?) -> Duration {
        guard let last else { return .zero }
        let elapsed = DispatchTime.now().uptimeNanoseconds &- last.uptimeNanoseconds
        let late = Duration.nanoseconds(Int64(clamping: elapsed)) - interval
        return late > .milliseconds(5) ? late : .zero
    }
}
