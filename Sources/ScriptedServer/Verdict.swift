import HTTPBasics
import ServerScript

/// What a server has to say about its clients when it stops.
public struct Verdict: Sendable, CustomStringConvertible {
    /// Things that a client did and the script does not allow, each with what came closest: the first 1,024 of them.
    public let violations: [String]
    /// How many violations there were, those among them that are not in `violations`.
    public let violationCount: Int
    /// Each step of the script that did not happen, and each fault of a single connection's handshake.
    public let unconsumed: [String]
    /// Routes that have answered nothing in any round: perhaps nobody asks for them in this way.
    public let unusedRoutes: [String]
    /// The requests that the server remembers, in the order in which they were read: all of them until its journal is
    /// full, with 32,000 requests or 64 MiB; then the newest.
    public let requests: [ReceivedRequest]
    /// How many requests there were, those among them that are not in `requests`.
    public let requestCount: Int
    /// The scope that it is on; empty for that of requests that name none.
    package let scope: String
    package let events: [ServerEvent]
    package let failures: [Violation]
    package let unconsumedSteps: [Step]
    package let owedHandshakes: [OwedHandshake]
    /// Why the round ended before the script was consumed; nil if it was, or if the server was stopped.
    package let abandonment: Abandonment?

    init(
        _ record: ServerRecord.Entries, scope: String = "", unconsumedSteps: [Step] = [],
        owedHandshakes: [OwedHandshake] = [],
        abandonment: Abandonment? = nil, unusedRoutes: [Route] = []
    ) {
        self.scope = scope
        self.unusedRoutes = unusedRoutes.map { route in
            route.exchange.request.summary + (route.mark.map { " (\($0))" } ?? "")
        }
        events = record.events
        failures = record.violations
        self.unconsumedSteps = unconsumedSteps
        self.owedHandshakes = owedHandshakes
        self.abandonment = abandonment
        violations = failures.map(\.text)
        violationCount = record.violationCount
        unconsumed = unconsumedSteps.map(Verdict.text) + owedHandshakes.map(\.description)
        requests = ReceivedRequest.list(from: events)
        requestCount = record.requestCount
    }

    /// Whether the whole script was played and nothing else.
    public var isFulfilled: Bool { violationCount == 0 && unconsumed.isEmpty && abandonment == nil }

    /// All complaints, one in a line, and how many are left out.
    public var description: String {
        guard !isFulfilled else { return "the script was fulfilled" }
        let more = violationCount - violations.count
        let rest = more > 0 ? ["and \(more.counting("violation")) more, not remembered"] : []
        return (violations + rest + unconsumed.map { "did not happen: \($0)" }).joined(separator: "\n")
    }

    private static func text(_ step: Step) -> String {
        let lane = step.lane.map { " on connection \($0)" } ?? ""
        let times = step.times > 1 ? ", \(step.times) times" : ""
        let mark = step.mark.map { " (\($0))" } ?? ""
        return step.owedText + text(step.action) + lane + times + mark
    }

    private static func text(_ action: Step.Action) -> String {
        switch action {
        case .exchange(let exchange):
            exchange.request.summary
        case .accept: "a connection"
        case .read(let count): "\(count.counting("byte")) from the client"
        case .write(let bytes): "sending \(bytes.count) raw bytes"
        case .close: "the end of the connection"
        }
    }
}
