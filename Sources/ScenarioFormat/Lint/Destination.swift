import HTTPBasics
import ServerScript

/// Where a request goes, as the server reads it.
struct Destination: Hashable {
    var method: String
    var host: String
    var target: String

    /// The request that a task begins with. Nil when only running it can tell: a URL of another host, bytes that are
    /// encoded on the way, dots that may be resolved, resume data.
    init?(of task: TaskStep, hosts: [String]) {
        guard task.resumeData == nil, task.rawResumeData == nil, let first = hosts.first else { return nil }
        let task = task.edited
        method = HTTPMethod.inUsualCase(task.method)
        host = task.host ?? first
        var rest = task.target[...]
        if rest.hasPrefix("$origin") {
            rest = rest.dropFirst("$origin".count)
            let name = rest.prefix { $0 != "/" }
            if !name.isEmpty { host = String(name.dropFirst()) }
            rest = rest.dropFirst(name.count)
        }
        target = String(rest)
        guard target.hasPrefix("/"), !target.hasPrefix("//"), !target.contains("/."), hosts.contains(host),
            target.utf8.allSatisfy(Destination.isSentAsWritten)
        else { return nil }
    }

    private static func isSentAsWritten(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || "-._~/?&=+,;:@".utf8.contains(byte)
    }
}

extension RequestMatch {
    /// Whether a request to `destination` could be this one, as far as its line tells.
    func mayMatch(_ method: String, _ target: String) -> Bool {
        guard self.method == nil || self.method == method else { return false }
        return takes(target: target)
    }

    /// The request line as a scenario writes it.
    var line: String { [method ?? "any", target].compactMap { $0 }.joined(separator: " ") }
}

/// A step or a route that takes requests.
struct Taker {
    var exchange: Exchange
    var host: String
    var isRoute: Bool
    var lane: String?
    var times: Int
    var mark: SourceMark?

    func mayTake(_ destination: Destination) -> Bool {
        host == destination.host && mayTake(destination.method, destination.target)
    }

    /// A route for GET answers HEAD as well, unless another one does.
    func mayTake(_ method: String, _ target: String) -> Bool {
        exchange.request.mayMatch(method, target)
            || isRoute && method == "HEAD" && exchange.request.mayMatch("GET", target)
    }
}

extension Script {
    /// All that takes requests: steps that happen, then routes.
    var takers: [Taker] {
        let first = hosts.first ?? ""
        let fromSteps = steps.filter { $0.times > 0 }.compactMap { step -> Taker? in
            guard case .exchange(let exchange) = step.action else { return nil }
            return Taker(
                exchange: exchange, host: step.host ?? first, isRoute: false, lane: step.lane, times: step.times,
                mark: step.mark)
        }
        return fromSteps
            + routes.map { route in
                Taker(
                    exchange: route.exchange, host: route.host ?? first, isRoute: true, lane: nil, times: 1,
                    mark: route.mark)
            }
    }

    /// Something is sent or read that is no exchange: then the script does not tell what the client sees.
    var hasRawBytes: Bool {
        steps.contains { step in
            switch step.action {
            case .read, .write: step.times > 0
            case .exchange, .accept, .close: false
            }
        } || replies.contains { $0.0.timeline.hasRawBytes }
    }

    var challenges: Bool {
        hasRawBytes || !tls.isEmpty
            || replies.contains { reply, _ in !reply.challenges.isEmpty || reply.status == 401 || reply.status == 407 }
    }

    var redirects: Bool { hasRawBytes || replies.contains { reply, _ in (300...399).contains(reply.status) } }

    var informs: Bool {
        hasRawBytes || exchanges.contains { $0.0.resumable != nil }
            || replies.contains { reply, _ in !reply.interim.isEmpty }
    }
}

extension [SendStep] {
    fileprivate var hasRawBytes: Bool {
        contains { step in
            switch step {
            case .raw: true
            case .repeat(_, let steps): steps.hasRawBytes
            default: false
            }
        }
    }
}
