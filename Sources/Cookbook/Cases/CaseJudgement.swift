import ServerScript

/// What has become of a case, as its scope stands now.
struct CaseJudgement {
    enum Outcome: String { case fulfilled, failed, unfinished, untouched }

    let id: String
    let outcome: Outcome
    /// Some have several lines.
    let findings: [String]

    init(_ id: String, _ standing: ScopeStanding?) {
        self.id = id
        guard let standing, standing.requestCount > 0 else {
            outcome = .untouched
            findings = ["nobody has asked for anything yet"]
            return
        }
        let missing = standing.unconsumed.map { "did not happen: \($0)" }
        findings = standing.violations + missing
        outcome = !standing.violations.isEmpty ? .failed : missing.isEmpty ? .fulfilled : .unfinished
    }

    /// What is told of a finding behind its first line is below it.
    var text: String {
        ([outcome.rawValue] + findings.map { "  " + $0.replacing("\n", with: "\n    ") }).joined(separator: "\n") + "\n"
    }

    var json: AnswerJSON {
        .object([
            ("case", .text(id)), ("outcome", .text(outcome.rawValue)),
            ("findings", .array(findings.map { .text($0) })),
        ])
    }

    /// A test suite in JUnit's form: what nobody has asked for is skipped.
    static func junit(_ verdicts: [CaseJudgement]) -> String {
        let count = { (outcomes: [Outcome]) in verdicts.count { outcomes.contains($0.outcome) } }
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuite name=\"understudy\" tests=\"\(verdicts.count)\" "
        text += "failures=\"\(count([.failed, .unfinished]))\" skipped=\"\(count([.untouched]))\">\n"
        for verdict in verdicts {
            let name = HTMLText.escaped(verdict.id),
                findings = HTMLText.escaped(verdict.findings.joined(separator: "\n"))
            text += "  <testcase classname=\"case\" name=\"\(name)\">"
            switch verdict.outcome {
            case .fulfilled: break
            case .untouched: text += "<skipped/>"
            case .failed, .unfinished: text += "<failure message=\"\(verdict.outcome.rawValue)\">\(findings)</failure>"
            }
            text += "</testcase>\n"
        }
        return text + "</testsuite>\n"
    }
}
