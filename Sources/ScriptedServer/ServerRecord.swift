import ServerScript
import Synchronization

/// The journal of one server, readable from any thread while it grows. The newest entries are kept when there
/// are too many, and violations longest.
final class ServerRecord: Sendable {
    private struct Entries {
        var events: [ServerEvent] = []
        var violations: [Violation] = []
    }

    private let mostEvents: Int
    private let mostViolations: Int
    private let entries = Mutex(Entries())

    init(mostEvents: Int = 65_536, mostViolations: Int = 1024) {
        self.mostEvents = mostEvents
        self.mostViolations = mostViolations
    }

    func append(_ event: ServerEvent) {
        entries.withLock { entries in
            // A quarter at a time, so that the cost of moving the rest is spread thin.
            if entries.events.count >= mostEvents { entries.events.removeFirst(max(1, mostEvents / 4)) }
            entries.events.append(event)
            // The first violations matter most: later ones often follow from them.
            if case .violation(let violation) = event.kind, entries.violations.count < mostViolations {
                entries.violations.append(violation)
            }
        }
    }

    var events: [ServerEvent] { entries.withLock { $0.events } }
    var violations: [Violation] { entries.withLock { $0.violations } }
}
