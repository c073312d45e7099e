import HTTPBasics
import MachineContract

/// A delegate queue in virtual time: jobs run one after another, at moments that the seed chooses.
final class SimulatedExecutor: CallExecutor, @unchecked Sendable {
    // Safety: all state is used on the world's thread only; a job from elsewhere goes through the checked door.

    private let scheduler: Scheduler
    private let actor: SimulatedActor
    private var random: SeededRandom?
    private var latestDue = Instant.zero

    init(scheduler: Scheduler, session: Int, random: SeededRandom?) {
        self.scheduler = scheduler
        actor = .delegateQueue(session)
        self.random = random
    }

    func run(_ job: @escaping @Sendable () -> Void) {
        scheduler.post(on: actor, after: nextDelay(), job)
    }

    /// With a seed, the user is busy now and then, and what comes later waits behind it.
    private func nextDelay() -> Duration {
        guard random != nil, scheduler.isWorldThread else { return .zero }
        let now = scheduler.now
        let pause = random?.chance(1, in: 8) ?? false ? random?.below(1_000) ?? 0 : 0
        latestDue = max(latestDue, now + .microseconds(pause))
        return latestDue - now
    }
}
