import ServerScript

/// What a run of the server leaves behind for the harness.
final class SimulatedServerRecord {
    private static let limit = 1_000_000

    private(set) var events: [ServerEvent] = []
    var onSignal: ((String) -> Void)?

    func append(_ event: ServerEvent) {
        if events.count < Self.limit { events.append(event) }
    }

    /// The caller hears of it in a job of its own.
    func raise(_ name: String, on scheduler: Scheduler) {
        scheduler.schedule(on: .caller) { [self] in onSignal?(name) }
    }
}
