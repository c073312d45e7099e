import HTTPBasics
import ScenarioFormat
import ServerScript

/// One request as the server read it: the head, and what came of its body.
package struct WireRequest: Hashable, Sendable {
    package var peer: PeerID
    package var exchange: Int
    package var instant: Instant
    package var head: RecordedRequest
    package var body: RecordedBody?

    package var line: String { "\(head.method) \(head.target)" }

    /// The same without secrets.
    var shownLine: String { Secrets.shown(line) }

    /// Of credentials the journal has kept the scheme only.
    fileprivate func shown(_ field: String) -> String {
        let value = head.fields.joined(field) ?? ""
        return Secrets.isAuthorization(field) ? value : Secrets.shown(value, ofField: field)
    }
}

extension WireExpectation {
    var shownLine: String { Secrets.shown(line) }
}

/// Compares what the server saw with `wire:`, `connections:` and `wire-close:`.
package enum WireMatch {
    package static func requests(in events: [ServerEvent]) -> [WireRequest] {
        var requests: [WireRequest] = []
        for event in events {
            switch event.kind {
            case .request(let head):
                requests.append(
                    WireRequest(peer: event.peer, exchange: event.exchange, instant: event.instant, head: head))
            case .requestBody(let body):
                let index = requests.lastIndex { $0.peer == event.peer && $0.exchange == event.exchange }
                if let index { requests[index].body = body }
            default: break
            }
        }
        return requests
    }

    /// The list is closed and ordered, as everything is. Returns the index of the first difference and its reason.
    package static func difference(
        of expected: [WireEntry], requests: [WireRequest]
    ) -> (index: Int, reason: String, mark: SourceMark?)? {
        var next = 0
        for entry in expected {
            let wanted = entry.requests, here = Array(requests.dropFirst(next).prefix(wanted.count))
            if let found = UnorderedWire(wanted, here).difference {
                return (next + found.index, found.reason, found.mark)
            }
            next += wanted.count
        }
        guard requests.count > next else { return nil }
        let surplus = requests[next].shownLine
        return (next, "a request that is not listed: \(surplus)", expected.last?.requests.last?.mark)
    }

    /// What is expected, one line for each request: of an order that is free, the one in which they came.
    package static func lines(of expected: [WireEntry], asIn requests: [WireRequest]) -> [String] {
        var next = 0, lines: [String] = []
        for entry in expected {
            let wanted = entry.requests
            lines += UnorderedWire(wanted, Array(requests.dropFirst(next).prefix(wanted.count))).lines
            next += wanted.count
        }
        return lines
    }

    package static func difference(of expected: WireExpectation, from request: WireRequest) -> String? {
        if expected.line != request.line { return "expected \(expected.shownLine), got \(request.shownLine)" }
        if let reason = FieldComparison.difference(of: expected.fields, in: request.head.fields) { return reason }
        if let name = expected.absent.first(where: { request.head.fields.contains($0) }) {
            return "field \(name) must be absent, got '\(request.shown(name))'"
        }
        return expected.body.flatMap { bodyDifference($0, request) }.map { "body: \($0)" }
    }

    private static func bodyDifference(_ rule: RequestMatch.BodyRule, _ request: WireRequest) -> String? {
        let seen = SeenContent(request.body)
        switch rule {
        case .none:
            if seen.count > 0 { return "expected none, got \(seen.count.counting("byte"))" }
            // What the script has not read may still have been there.
            return request.head.fields.announceBody ? "expected none, got one that is announced and was not read" : nil
        case .equals(let content): return seen.difference(from: content)
        case .prefix(let content):
            // Of anything no bytes are a beginning: they prove nothing.
            return seen.count == 0 ? "expected a beginning, got 0 bytes" : seen.difference(fromPrefixOf: content)
        case .contains, .matches, .json, .jsonSubset, .form, .sha256:
            guard seen.prefix.count == seen.count else {
                return "\(seen.count) bytes, more than the 64 KiB that are kept"
            }
            return rule.differences(in: seen.prefix).first
        }
    }

    package static func connections(in events: [ServerEvent]) -> Int {
        events.reduce(0) { $1.kind == .accepted ? $0 + 1 : $0 }
    }

    /// `targets` are what the task may have asked for, the last first. Nil when the rule holds.
    package static func difference(of rule: CloseRule, targets: [String], events: [ServerEvent]) -> String? {
        let requests = requests(in: events)
        let carrying = targets.lazy.compactMap { target in requests.last { $0.head.target == target } }.first
        guard let carrying else { return "no connection carried \(rule.task)" }
        let wanted = rule.byClient ? "client" : "server"
        for event in events where event.peer == carrying.peer {
            guard case .closed(let byClient) = event.kind else { continue }
            if byClient == rule.byClient { return nil }
            return
                "the connection of \(rule.task) was closed by the \(byClient ? "client" : "server"), not the \(wanted)"
        }
        return "the connection of \(rule.task) is still open, expected a close by the \(wanted)"
    }
}

extension Fields {
    /// RFC 9112 6.3: by a length other than 0, or in chunks.
    fileprivate var announceBody: Bool {
        contains("Transfer-Encoding") || values("Content-Length").contains { $0 != "0" }
    }
}
