import HTTPBasics
import ServerScript
import Locks

/// The journal of one server, readable from any thread while it grows. The newest entries are kept when there
/// are too many, and violations longest.
final class ServerRecord: Sendable {
    private struct Entries {
        var events: [ServerEvent] = []
        var weight = 0
        var violations: [Violation] = []

        mutating func forgetOldest(_ count: Int) {
            weight -= events.prefix(count).reduce(0) { $0 + $1.weight }
            events.removeFirst(count)
        }
    }

    private let mostEvents: Int
    /// Bound on what heads and bodies in the journal hold together, in bytes.
    private let mostWeight: Int
    private let mostViolations: Int
    private let entries = Lock(Entries())

    init(mostEvents: Int = 65_536, mostWeight: Int = 64 << 20, mostViolations: Int = 1024) {
        self.mostEvents = mostEvents
        self.mostWeight = mostWeight
        self.mostViolations = mostViolations
    }

    func append(_ event: ServerEvent) {
        entries.withLock { entries in
            // A quarter at a time, so that the cost of moving the rest is spread thin.
            while entries.events.count >= mostEvents || (entries.weight > mostWeight && !entries.events.isEmpty) {
                entries.forgetOldest(max(1, entries.events.count / 4))
            }
            entries.events.append(event)
            entries.weight += event.weight
            // The first violations matter most: later ones often follow from them.
            if case .violation(let violation) = event.kind, entries.violations.count < mostViolations {
                entries.violations.append(violation)
            }
        }
    }

    /// A round is over, and its verdict given.
    func clear() { entries.withLock { $0 = Entries() } }

    var events: [ServerEvent] { entries.withLock { $0.events } }
    var violations: [Violation] { entries.withLock { $0.violations } }
}

extension ServerEvent {
    /// Bytes of the peer's making that the entry holds.
    fileprivate var weight: Int {
        switch kind {
        case .request(let request):
            request.fields.list.reduce(request.target.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        case .requestBody(let body), .uploaded(_, let body): body.prefix.count
        case .violation(let violation):
            violation.differences.reduce(violation.summary.utf8.count) { $0 + $1.utf8.count }
        case .accepted, .answered, .faulted, .drew, .brokenOff, .closed, .exhausted, .startedOver: 0
        }
    }
}
