import DequeModule
import HTTPBasics
import Locks
import ServerScript

/// The journal of one server, readable from any thread while it grows. The newest entries are kept when there
/// are too many, and violations longest; what is counted counts all of them.
final class ServerRecord: Sendable {
    struct Entries {
        /// A ring, so that one can be forgotten for each that comes: many at once would keep a request waiting.
        private var ring: Deque<(event: ServerEvent, number: Int)> = []
        var events: [ServerEvent] { ring.map(\.event) }
        /// For each of them the number of its exchange in the round, from 1; 0 for one that is about none.
        var numbers: [Int] { ring.map(\.number) }
        fileprivate var count: Int { ring.count }
        fileprivate(set) var forgottenRequests = 0
        fileprivate private(set) var keptRequests = 0
        private var lastForgotten = 0
        fileprivate(set) var violations: [Violation] = []
        fileprivate(set) var requestCount = 0
        fileprivate(set) var violationCount = 0
        fileprivate var weight = 0
        private var exchangeCount = 0
        /// The last exchange of each connection that is open, and its number.
        private var latest = PeerTable<(exchange: Int, number: Int)>()

        /// What is left of a forgotten request, such as its violation, would look like one that could not be read.
        var retained: RetainedJournal {
            let whole = ring.filter { $0.number == 0 || $0.number > lastForgotten }
            return RetainedJournal(
                events: whole.map(\.event), numbers: whole.map(\.number), forgottenRequests: forgottenRequests)
        }

        private mutating func number(of event: ServerEvent) -> Int {
            let last = latest[event.peer]
            let known = last?.exchange == event.exchange ? last?.number : nil
            switch event.kind {
            case .request, .violation: break
            case .closed:
                latest.remove(event.peer)
                return known ?? 0
            default: return known ?? 0
            }
            if let known { return known }
            exchangeCount += 1
            latest.insert((event.exchange, exchangeCount), for: event.peer)
            return exchangeCount
        }

        fileprivate mutating func keep(_ event: ServerEvent) {
            ring.append((event, number(of: event)))
            weight += event.weight
            if case .request = event.kind { keptRequests += 1 }
        }

        fileprivate mutating func forgetOldest() {
            guard let (event, number) = ring.popFirst() else { return }
            weight -= event.weight
            guard case .request = event.kind else { return }
            lastForgotten = number
            forgottenRequests += 1
            keptRequests -= 1
        }
    }

    private let mostRequests: Int
    /// Requests have two to five events each; one with many must not fill the memory.
    private let mostEvents: Int
    /// Bound on what heads and bodies in the journal hold together, in bytes.
    private let mostWeight: Int
    private let mostViolations: Int
    private let entries = Lock(Entries())

    /// - Parameter mostEvents: Eight a request without it.
    init(
        mostRequests: Int = 32_000, mostEvents: Int? = nil, mostWeight: Int = 64 << 20, mostViolations: Int = 1024
    ) {
        self.mostRequests = mostRequests
        self.mostEvents = mostEvents ?? 8 * mostRequests
        self.mostWeight = mostWeight
        self.mostViolations = mostViolations
    }

    func append(_ event: ServerEvent) {
        entries.withLock { entries in
            while entries.count > 0, entries.count >= mostEvents || entries.weight > mostWeight {
                entries.forgetOldest()
            }
            entries.keep(event)
            while entries.keptRequests > mostRequests { entries.forgetOldest() }
            switch event.kind {
            case .request: entries.requestCount += 1
            case .violation(let violation):
                entries.violationCount += 1
                // The first violations matter most: later ones often follow from them.
                if entries.violations.count < mostViolations { entries.violations.append(violation) }
            default: break
            }
        }
    }

    /// A round is over, and its verdict given.
    func clear() { entries.withLock { $0 = Entries() } }

    var snapshot: Entries { entries.withLock { $0 } }
    var requestCount: Int { entries.withLock { $0.requestCount } }
    var violationCount: Int { entries.withLock { $0.violationCount } }
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
        case .noted(let text): text.utf8.count
        case .accepted, .answered, .faulted, .drew, .brokenOff, .closed, .exhausted, .abandoned, .startedOver,
            .tunnelled, .secureFailed:
            0
        }
    }
}
