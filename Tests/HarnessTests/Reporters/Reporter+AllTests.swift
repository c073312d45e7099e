import Judge
import Foundation
import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Harness

@Suite("Reports")
struct ReportersTests {
    private func failure() -> CaseResult {
        var result = Make.result("pool/drop", .fail)
        result.findings = [
            Finding(.events, task: "t", place: "s.yaml:2:5", "t expected <a> & \"b\"", details: ["  > x"])
        ]
        result.trace = ["A< GET /"]
        return result
    }

    private func terminal(_ results: [CaseResult], live: ProgressLine? = nil, colors: Colors = .none) -> String {
        var text = ""
        let excerpt = SourceExcerpt { _ in "one\ntwo words\n" }
        let reporter = TerminalReporter(colors: colors, live: live, excerpt: excerpt) { text += $0 }
        reporter.begin(planned: results.count)
        for result in results { reporter.take(result) }
        reporter.end(Totals(results), seconds: 1.5, wasInterrupted: false)
        return text
    }

    @Test("A failure is told in full: finding, scenario line, diff, wire, replay command")
    func failureText() {
        let text = terminal([failure()])
        for part in [
            "FAIL  pool/drop (simulated, delegate)", "s.yaml:2:5: t expected <a> & \"b\"", "2 | two words",
            "  > x", "A< GET /", "repeat: understudy run pool/drop --world simulated --style delegate --seed 5",
            "1 case in 1.50 s: 0 passed, 1 failed", "FAILED",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("\u{1B}"))
    }

    @Test("The summary counts by world and style and names what was left out")
    func summary() {
        let text = terminal([
            Make.result("a", .pass, .sockets, .async, seconds: 0.5),
            Make.result("b", .skipped(reason: "needs another style")),
        ])
        #expect(text.contains("  sockets                    -             -             1"))
        #expect(text.contains("1  needs another style"))
        #expect(text.contains("500 ms") || text.contains("0.50 s  a (sockets, async)"))
        #expect(text.contains("PASSED"))
    }

    @Test("The summary says by how much windows were widened, and when that was too much")
    func widened() {
        var wide = Make.result("a", .pass, .sockets), vague = Make.result("b", .pass, .sockets)
        wide.widened = 0.1
        vague.widened = 0.9
        vague.isVague = true
        let text = terminal([wide, vague, Make.result("c")])
        #expect(text.contains("windows of 2 cases were widened, by 0.90 s at most"), "\(text)")
        #expect(text.contains("1 of them beyond their meaning"))
        #expect(!terminal([Make.result("c")]).contains("widened"))
    }

    @Test("The live line is told of every case, and is gone before anything else is printed")
    func live() {
        var drawn = ""
        let live = ProgressLine(colors: .none, columns: { 80 }) { drawn += $0 }
        let text = terminal([Make.result("a"), failure()], live: live)
        #expect(drawn.contains(" 1/2  a\r\u{1B}[2K\r"))
        #expect(drawn.hasSuffix(" 2/2  1 failed  pool/drop\r\u{1B}[2K"))
        #expect(!text.contains("\r") && !text.contains("1/2"))
    }

    @Test("Without a terminal there is the summary alone")
    func silent() { #expect(terminal([Make.result("a"), Make.result("b")]).hasPrefix("2 cases in 1.50 s")) }

    @Test("What failed is red, what passed is green")
    func colors() {
        let colors = Colors(isTerminal: true, environment: [:])
        #expect(terminal([failure()], colors: colors).hasPrefix("\u{1B}[31mFAIL\u{1B}[0m  pool/drop"))
        #expect(terminal([failure()], colors: colors).hasSuffix("\u{1B}[31mFAILED\u{1B}[0m\n"))
        #expect(terminal([Make.result("a")], colors: colors).hasSuffix("\u{1B}[32mPASSED\u{1B}[0m\n"))
    }

    @Test("An excerpt shows the line with a caret, or nothing")
    func excerpt() {
        let excerpt = SourceExcerpt { $0 == "s.yaml" ? "one\ntwo words" : nil }
        #expect(excerpt.lines(at: "s.yaml:2:5") == ["2 | two words", "        ^"])
        #expect(excerpt.lines(at: "s.yaml:9:5").isEmpty)
        #expect(excerpt.lines(at: "other.yaml:1:1").isEmpty)
        #expect(excerpt.lines(at: "nonsense").isEmpty)
    }

    @Test("JUnit XML is well-formed and sorted, whatever the texts hold")
    func junit() throws {
        var results = [failure(), Make.result("auth/basic", .skipped(reason: "a<b")), Make.result("pool/a", .wedged)]
        results[0].findings[0].details = ["\u{1} \u{FFFF} ]]> é"]
        let text = JUnitReporter.document(results, seconds: 2)
        #expect(text.contains("tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"2.000000\""))
        #expect(text.contains("&lt;a&gt; &amp; &quot;b&quot;"))
        #expect(!text.contains("\u{1}") && !text.contains("\u{FFFF}"))
        let auth = try #require(text.range(of: "auth/basic"))
        let pool = try #require(text.range(of: "pool/a"))
        #expect(auth.lowerBound < pool.lowerBound)
        #expect(text.components(separatedBy: "<testcase").count == 4)
        #expect(text.components(separatedBy: "</testsuite>").count == 3)
    }

    @Test("results.jsonl has one object a case with the promised keys, and appears whole")
    func jsonLines() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appendingPathComponent("results.jsonl")
        let reporter = JSONLinesReporter(file: file.path)
        for result in [failure(), Make.result("a", .pass, .sockets, .async)] { reporter.take(result) }
        try reporter.end(Totals(), seconds: 1, wasInterrupted: false)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2)
        let first = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(first["id"] as? String == "a")
        #expect(first["world"] as? String == "sockets")
        #expect(first["style"] as? String == "async")
        #expect(first["verdict"] as? String == "pass")
        #expect(first["seconds"] as? Double == 0.01)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["results.jsonl"])
    }

    @Test(
        "Seconds read well",
        arguments: [(0.003, "3 ms"), (0.5, "0.50 s"), (125, "2 min 5 s"), (7260, "2 h 1 min"), (604_800, "7 d 0 h")])
    func seconds(value: Double, text: String) { #expect(SecondsText.text(value) == text) }
}
