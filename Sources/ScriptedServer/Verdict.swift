import HTTPBasics
import ServerScript

/// What a server has to say about its clients when it stops.
public struct Verdict: Sendable, CustomStringConvertible {
    /// Each thing that a client did and the script does not allow, with what came closest.
    public let violations: [String]
    /// Each step of the script that did not happen.
    public let unconsumed: [String]
    /// Every request, in the order in which they were read.
    public let requests: [ReceivedRequest]
    package let events: [ServerEvent]
    package let failures: [Violation]
    package let unconsumedSteps: [Step]

    init(events: [ServerEvent], failures: [Violation], unconsumedSteps: [Step]) {
        self.events = events
        self.failures = failures
        self.unconsumedSteps = unconsumedSteps
        violations = failures.map(\.text)
        unconsumed = unconsumedSteps.map(Verdict.text)
        requests = ReceivedRequest.list(from: events)
    }

    /// Whether the whole script was played and nothing else.
    public var isFulfilled: Bool { violations.isEmpty && unconsumed.isEmpty }

    /// All complaints, one in a line.
    public var description: String {
        guard !isFulfilled else { return "the script was fulfilled" }
        return (violations + unconsumed.map { "did not happen: \($0)" }).joined(separator: "\n")
    }

    private static func text(_ step: Step) -> String {
        let lane = step.lane.map { " on connection \($0)" } ?? ""
        let times = step.times > 1 ? ", \(step.times) times" : ""
        let mark = step.mark.map { " (\($0))" } ?? ""
        return text(step.action) + lane + times + mark
    }

    private static func text(_ action: Step.Action) -> String {
        switch action {
        case .exchange(let exchange):
            "\(exchange.request.method ?? "any method") \(exchange.request.target ?? "any target")"
        case .accept: "a connection"
        case .read(let count): "\(count.counting("byte")) from the client"
        case .write(let bytes): "sending \(bytes.count) raw bytes"
        case .close: "the end of the connection"
        }
    }
}
