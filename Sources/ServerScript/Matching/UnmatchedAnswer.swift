import HTTPBasics

/// What a client is told whose request the script does not take: text, or JSON for who asks for it.
struct UnmatchedAnswer {
    private let violation: Violation
    private let status: Int

    init(_ violation: Violation, status: Int) {
        self.violation = violation
        self.status = status
    }

    /// Content-Type and body.
    func content(for request: ReceivedHead?) -> (type: String, text: String) {
        let accept = request?.fields.joined("Accept") ?? ""
        let isJSON = accept.split(separator: ",").contains { member in
            let type = member.prefix { $0 != ";" }.trimmingWhitespace
            return type.equalsIgnoringCase("application/json") || type.equalsIgnoringCase("application/problem+json")
        }
        return isJSON
            ? ("application/problem+json", json.text + "\n") : ("text/plain; charset=utf-8", text)
    }

    private var text: String {
        var lines = [violation.text]
        for candidate in violation.closest.dropFirst() {
            lines.append("then: \(candidate.title)\(candidate.mark.map { ", \($0)" } ?? "")")
            lines += candidate.differences.map { "  \($0)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Problem details (RFC 9457), with a member for the closest.
    private var json: JSONValue {
        var members = [
            JSONValue.Member("type", .text("about:blank")),
            JSONValue.Member("title", .text(StatusPhrase.registered(status) ?? "")),
            JSONValue.Member("detail", .text(violation.summary)),
            JSONValue.Member("closest", .list(closest)),
        ]
        if let number = JSONNumber("\(status)") { members.insert(JSONValue.Member("status", .number(number)), at: 2) }
        return .object(members)
    }

    private var closest: [JSONValue] {
        let candidates =
            violation.closest.isEmpty && (violation.nearest != nil || !violation.differences.isEmpty)
            ? [Violation.Candidate(title: "", mark: violation.nearest, differences: violation.differences)]
            : violation.closest
        return candidates.map { candidate in
            var members: [JSONValue.Member] = []
            if !candidate.title.isEmpty { members.append(JSONValue.Member("what", .text(candidate.title))) }
            if let mark = candidate.mark {
                members.append(JSONValue.Member("file", .text(mark.file)))
                if let line = JSONNumber("\(mark.line)") { members.append(JSONValue.Member("line", .number(line))) }
            }
            members.append(JSONValue.Member("differences", .list(candidate.differences.map { .text($0) })))
            return .object(members)
        }
    }
}
