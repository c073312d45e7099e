/// Why a request of the control interface was not carried out (RFC 9457).
struct Problem: Error, Equatable {
    let status: Int
    let title: String
    let detail: String
    /// Diagnostics of a scenario, differences of a verification: one in a line.
    var findings: [String] = []
    /// With 405.
    var allowed: String?

    init(_ status: Int, _ title: String, _ detail: String, findings: [String] = []) {
        self.status = status
        self.title = title
        self.detail = detail
        self.findings = findings
    }

    static func bad(_ detail: String) -> Problem { Problem(400, "Bad request", detail) }

    static func unknownScope(_ name: String) -> Problem {
        Problem(404, "No such scope", "nobody has named the scope '\(name)' yet, or it was forgotten")
    }

    var answer: ControlAnswer {
        var members: [String: Any] = ["type": "about:blank", "title": title, "status": status, "detail": detail]
        if !findings.isEmpty { members["findings"] = findings }
        var answer = ControlAnswer(status: status, json: members, type: "application/problem+json")
        answer.allowed = allowed
        return answer
    }
}
