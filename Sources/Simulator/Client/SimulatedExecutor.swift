import HTTPBasics
import MachineContract

/// A delegate queue, or the queue of a body stream, in virtual time: jobs run one after another, at moments that the
/// schedule chooses.
final class SimulatedExecutor: CallExecutor, @unchecked Sendable {
    // Safety: all state is used on the world's thread only; a job from elsewhere goes through the checked door.

    private let scheduler: Scheduler
    private let actor: SimulatedActor
    private let busy: Decisions
    private var latestDue = Instant.zero

    init(scheduler: Scheduler, actor: SimulatedActor, busy: Decisions) {
        self.scheduler = scheduler
        self.actor = actor
        self.busy = busy
    }

    func run(_ job: @escaping @Sendable () -> Void) {
        scheduler.post(on: actor, after: nextDelay(), job)
    }

    /// The user may be busy now and then, and what comes later waits behind it.
    private func nextDelay() -> Duration {
        guard scheduler.isWorldThread else { return .zero }
        let now = scheduler.now
        let pause = busy.next(at: now) {
            $0.chance(1, in: 8) ? $0.below(1_000) : 0
        } note: {
            "\(actor) is busy for \($0) us"
        }
        latestDue = max(latestDue, now + .microseconds(pause))
        return latestDue - now
    }
}
