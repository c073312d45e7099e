import Foundation
import Judge
import JudgeTestSupport
import ScenarioFormat
import Testing

@testable import Harness

@Suite("The page of a run")
struct HTMLReporterTests {
    private func page(_ results: [CaseResult]) -> String { ReportPage(results, summary: ["2 cases"]).html }

    private func drawn(
        _ id: String, _ verdict: CaseVerdict = .pass, _ world: WorldName = .simulated, _ style: Style = .delegate
    ) -> CaseResult {
        var result = Make.result(id, verdict, world, style)
        let span = Transfer.Span(.response, start: 0, end: 1)
        result.transfers = [
            Transfer(
                task: "t", request: "GET /\(style.rawValue)", status: 200, isReused: false, start: 0, spans: [span],
                taskEnd: 1)
        ]
        return result
    }

    @Test("Every case has its verdicts, a failure is told in full and open")
    func verdicts() {
        var failure = Make.result("pool/drop", .fail, .sockets, .async)
        failure.findings = [Finding(.events, task: "t", place: "s.yaml:2:5", "t expected <a> & \"b\"")]
        let html = page([Make.result("pool/drop"), failure, Make.result("pool/kept")])
        #expect(html.contains("<h2>pool</h2>"))
        #expect(html.contains("<details open><summary>pool/drop"))
        #expect(html.contains("<details><summary>pool/kept"))
        #expect(html.contains(#"<span class="fail" title="fail">sockets, async: fail</span>"#))
        #expect(html.contains(#"<span class="pass" title="pass">simulated, delegate</span>"#))
        #expect(html.contains("t expected &lt;a&gt; &amp; &quot;b&quot;"))
        #expect(html.contains("repeat: understudy run pool/drop --world sockets --style async"))
    }

    @Test("Each world has one picture, each failure its own")
    func pictures() {
        let html = page([
            drawn("a", .pass, .simulated, .delegate), drawn("a", .pass, .simulated, .async),
            drawn("a", .pass, .sockets, .completion), drawn("a", .fail, .sockets, .delegate),
        ])
        #expect(html.components(separatedBy: "<svg").count - 1 == 3)
        #expect(html.contains("t  GET /delegate  200"))
    }

    @Test("What was left out is not listed, and nothing comes from elsewhere")
    func closed() {
        let html = page([Make.result("b", .skipped(reason: "needs another style")), drawn("a")])
        #expect(!html.contains("<summary>b"))
        #expect(!html.contains("<script") && !html.contains("http://") && !html.contains("https://"))
        #expect(html.contains("default-src 'none'"))
    }

    @Test("A run with countless failures still makes a page of a bounded size, which says what is missing")
    func bounded() {
        let results = (0..<3000).map { number in
            var result = drawn("f/\(number)", .fail)
            let details = (0..<20).map { _ in String(repeating: "<", count: 2000) }
            result.findings = [Finding(.events, "wrong", details: details)]
            return result
        }
        let html = page(results)
        #expect(html.utf8.count < HTMLReporter.failureBytes + HTMLReporter.pictureBytes + (2 << 20))
        #expect(html.contains("more failures would make this page too large"))
        #expect(html.contains("<summary>f/2999"), "every case still has its verdict")
    }

    @Test("An interrupted run says so")
    func interrupted() {
        #expect(ReportPage([], summary: [], wasInterrupted: true).html.contains("Interrupted"))
    }
}
