import Foundation
import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("Counting results")
struct TotalsTests {
    private let totals = Totals([
        Make.result("a", .pass, .simulated, .delegate, seconds: 1),
        Make.result("b", .fail, .sockets, .async, seconds: 3),
        Make.result("c", .wedged, .sockets, .async, seconds: 2), Make.result("d", .setupFailed),
        Make.result("e", .skipped(reason: "x")), Make.result("f", .skipped(reason: "x")),
    ])

    @Test("Every verdict is counted once, skipped ones apart")
    func counts() {
        #expect(totals.ran == 4)
        #expect(totals.passed == 1 && totals.failed == 1 && totals.wedged == 1)
        #expect(totals.setupFailed == 1 && totals.skipped == 2)
        #expect(
            totals.cell(.sockets, .async)
                == Totals.Cell(client: .ours, world: .sockets, style: .async, ran: 2, failed: 2))
        #expect(totals.skips == [Totals.SkipCount(reason: "x", count: 2)])
        #expect(totals.slowest.map(\.id) == ["b", "c", "a", "d"])
    }

    @Test("Another client's differences are counted apart, and those that are recorded fail nothing")
    func otherClients() {
        var results = [
            Make.result("a", .recorded(because: "x"), .sockets), Make.result("b", .unimplemented(reason: "has no y")),
        ]
        for index in results.indices { results[index].client = .foundation }
        let totals = Totals(results)
        #expect(totals.ran == 1 && totals.recorded == 1 && totals.unimplemented == 1 && !totals.hasFailures)
        #expect(totals.cell(.sockets, .delegate)?.ran == 0)
        #expect(totals.cell(.sockets, .delegate, of: .foundation)?.ran == 1)
        #expect(totals.skips == [Totals.SkipCount(reason: "foundation-networking has no y", count: 1)])
    }

    @Test("The exit status follows")
    func status() {
        #expect(RunStatus(totals, wasInterrupted: false) == .failures)
        #expect(RunStatus(totals, wasInterrupted: true) == .interrupted)
        #expect(RunStatus(Totals([Make.result("a")]), wasInterrupted: false) == .passed)
        let nothing = Totals([Make.result("a", .skipped(reason: "x"))])
        #expect(RunStatus(nothing, wasInterrupted: false) == .usage)
        #expect(RunStatus(nothing, wasInterrupted: false, isPart: true) == .passed)
    }

    @Test(
        "A result survives its way from a worker",
        arguments: [
            CaseVerdict.pass, .fail, .wedged, .setupFailed, .observed, .skipped(reason: "x"), .recorded(because: "y"),
            .unimplemented(reason: "z"),
        ])
    func roundTrip(verdict: CaseVerdict) throws {
        var result = Make.result("a/b", verdict)
        result.findings = [Finding(.timing, task: "t", place: "f:1:2", "late", details: ["d"])]
        let data = try JSONEncoder().encode(CaseAnswer(number: 3, result: result))
        #expect(!data.contains(10))
        #expect(try JSONDecoder().decode(CaseAnswer.self, from: data) == CaseAnswer(number: 3, result: result))
    }

    @Test("The replay command repeats world, style, seed and position")
    func replay() {
        var result = Make.result("a/b", .fail, .sockets, .async)
        result.exploration = "cut:0:17:fin"
        #expect(
            result.replayCommand
                == "understudy run a/b --world sockets --style async --seed 5 --explore cut:0:17:fin")
        (result.command, result.root) = ("/bin/understudy", "/my scenarios/it's")
        #expect(
            result.replayCommand == "/bin/understudy run a/b --world sockets --style async --seed 5 "
                + "--explore cut:0:17:fin --scenarios '/my scenarios/it'\\''s'")
    }
}
