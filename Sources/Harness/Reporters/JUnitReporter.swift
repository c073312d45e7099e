import Foundation
import Judge
import ScenarioFormat

/// JUnit XML for dashboards: a suite for each topic, a test case for each case, world and style.
package final class JUnitReporter: Reporter {
    private let file: String
    private var results: [CaseResult] = []

    package init(file: String) { self.file = file }

    package func begin(planned: Int) {}
    package func take(_ result: CaseResult) { results.append(result) }

    package func end(_ totals: Totals, seconds: Double, wasInterrupted: Bool) throws {
        let text = JUnitReporter.document(results, seconds: seconds)
        try OutputFolder.write(Data(text.utf8), to: file)
    }

    static func document(_ results: [CaseResult], seconds: Double) -> String {
        var topics: [(name: String, results: [CaseResult])] = []
        for result in results.sorted(by: JUnitReporter.precedes) {
            let topic = result.id.split(separator: "/").first.map(String.init) ?? result.id
            if topics.last?.name == topic {
                topics[topics.count - 1].results.append(result)
            } else {
                topics.append((topic, [result]))
            }
        }
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        xml += "<testsuites name=\"understudy\" \(counts(results, seconds: seconds))>\n"
        for topic in topics {
            let time = topic.results.reduce(0) { $0 + $1.seconds }
            xml += "  <testsuite name=\"\(Markup.escaped(topic.name))\" \(counts(topic.results, seconds: time))>\n"
            for result in topic.results { xml += element(result) }
            xml += "  </testsuite>\n"
        }
        return xml + "</testsuites>\n"
    }

    /// Workers finish in any order; reports are sorted, so that two runs can be compared.
    private static func precedes(_ left: CaseResult, _ right: CaseResult) -> Bool {
        (left.id, left.axes) < (right.id, right.axes)
    }

    private static func counts(_ results: [CaseResult], seconds: Double) -> String {
        let totals = Totals(results)
        return
            "tests=\"\(results.count)\" failures=\"\(totals.failed)\" errors=\"\(totals.wedged + totals.setupFailed)\" "
            + "skipped=\"\(totals.skipped + totals.unimplemented)\" time=\"\(SecondsText.decimals(seconds, 6))\""
    }

    private static func element(_ result: CaseResult) -> String {
        let head =
            "    <testcase classname=\"\(Markup.escaped(result.id))\" name=\"\(Markup.escaped("\(result.id) (\(result.axes))"))\" "
            + "time=\"\(SecondsText.decimals(result.seconds, 6))\""
        guard let content = outcome(result) else { return head + "/>\n" }
        return head + ">\n" + content + "    </testcase>\n"
    }

    private static func outcome(_ result: CaseResult) -> String? {
        let text = { Markup.escaped(FailureText.lines(result).joined(separator: "\n")) }
        let message = Markup.escaped(result.findings.first?.summary ?? result.verdict.name)
        switch result.verdict {
        case .pass: return nil
        case .unmet, .observed: return "      <system-out>\(text())</system-out>\n"
        case .recorded(let reason):
            return "      <system-out>differs as recorded: \(Markup.escaped(reason))</system-out>\n"
        case .skipped(let reason), .unimplemented(let reason):
            return "      <skipped message=\"\(Markup.escaped(reason))\"/>\n"
        case .fail: return "      <failure message=\"\(message)\">\(text())</failure>\n"
        case .wedged, .setupFailed:
            return "      <error type=\"\(result.verdict.name)\" message=\"\(message)\">\(text())</error>\n"
        }
    }
}
