import ClientLane
import Judge
import ScenarioFormat
import ServerScript
import Simulator
import JudgeTestSupport
import Testing

@testable import Harness

@Suite("Exploring positions", .serialized)
struct ExplorerTests {
    private func explore(
        _ scenarioCase: ScenarioCase, _ exploration: Exploration, style: Style = .delegate
    ) throws -> Explorer.Outcome {
        try Explorer(scenarioCase, style: style, seed: 0).run(exploration)
    }

    @Test("A sound client keeps all expectations however the answer is split", arguments: Style.allCases)
    func splits(style: Style) throws {
        let outcome = try explore(Sample.get, .everySplit, style: style)
        #expect(outcome.findings == [])
        // Date, Content-Length and body: every position between two bytes.
        #expect(outcome.positions > 60)
    }

    @Test("A sound client never takes a part for the whole, wherever the answer is cut", arguments: Style.allCases)
    func cuts(style: Style) throws {
        let outcome = try explore(Sample.get, .everyCut, style: style)
        #expect(outcome.findings == [])
        #expect(outcome.positions > 120)
    }

    @Test("A sound client completes once, whenever it is cancelled", arguments: Style.allCases)
    func cancels(style: Style) throws {
        let outcome = try explore(Sample.get, .everyCancel, style: style)
        #expect(outcome.findings == [])
        #expect(outcome.positions > 10)
        #expect(try explore(Sample.download, .everyCancel, style: style).findings == [])
    }

    @Test("A cancel between two steps reaches the task", arguments: Style.allCases)
    func cancelled(style: Style) throws {
        let outcomes = try (0..<30).map { step in
            var options = SimulatedDriver.Options()
            options.cancel = CancelRule(label: "t", step: step)
            let observation = try SimulatedDriver.play(Sample.get, style: style, options: options).observation
            return observation.journal.events(of: "t").last?.outcome
        }
        #expect(outcomes.contains(.failure(code: "cancelled", hasResumeData: false)))
        #expect(outcomes.contains(.success))
    }

    @Test("Downloads and chunked answers stand every cut", arguments: [Reply.Framing.length, .chunked(size: 7)])
    func cutDownloads(framing: Reply.Framing) throws {
        var download = Sample.download
        download.script.steps = [
            Sample.exchange("GET", "/blob", Reply(body: .counter(size: 40), framing: framing))
        ]
        download.expect.tasks[0].events = [.anything, Sample.complete()]
        let outcome = try explore(download, .everyCut)
        #expect(outcome.findings == [])
        #expect(outcome.positions > 150)
    }

    @Test("Where closing ends the body a cut cannot be noticed")
    func closeDelimited() throws {
        var open = Sample.get
        open.script.steps = [Sample.exchange("GET", "/hello", Reply(body: .text("hello world"), framing: .close))]
        #expect(try explore(open, .everyCut).findings == [])
    }

    @Test("A sound client keeps its expectations under every seed; one that fails is named")
    func seeds() throws {
        let outcome = try explore(Sample.get, Exploration("seeds=20"))
        #expect(outcome.findings == [])
        #expect(outcome.positions == 20)
        var wrong = Sample.get
        wrong.expect.connections = 2...2
        let failed = try explore(wrong, .seeds(1...20))
        #expect(failed.failedSeed == 1)
        #expect(failed.findings.map(\.kind) == [.connections])
        #expect(!failed.trace.isEmpty)
    }

    @Test("A case that fails by itself is not explored")
    func unsound() throws {
        var wrong = Sample.get
        wrong.expect.connections = 2...2
        let outcome = try explore(wrong, .everyCut)
        #expect(outcome.positions == 0)
        #expect(outcome.findings.map(\.kind) == [.connections])
    }

    @Test("One position can be repeated by what a report names")
    func single() throws {
        let exploration = try Exploration("cut:0:12:reset")
        let outcome = try explore(Sample.get, exploration)
        #expect(outcome.positions == 1)
        #expect(outcome.findings == [])
    }

    @Test(
        "Explorations have a text of their own",
        arguments: [
            "every-cut", "every-split", "every-cancel", "cancel:t:17", "seeds=1..20", "seeds=7..9", "cut:0:117:fin",
            "cut:3:0:reset", "split:1:9", "hostile", "hostile=3..9", "bend:0:0:code=206,1:2:date.0=2^63",
        ])
    func text(text: String) throws { #expect(try Exploration(text).description == text) }

    @Test(
        "Others are refused",
        arguments: [
            "", "every", "seeds=", "seeds=0", "seeds=0..3", "seeds=3..2", "seeds=1..2..3", "seeds=x", "cut:0:1",
            "cut:0:1:stall", "cut:-1:1:fin", "cancel:t", "cancel::1", "cancel:t:-1", "split:0:x",
            "hostile=", "hostile=0", "bend:", "bend:0:0:code=206,", "bend:0:0:x",
            "cut:0:1:fin:2", "seeds=+5", "seeds=1..18446744073709551615", "seeds=18446744073709551616",
        ])
    func refused(text: String) {
        let error = #expect(throws: UsageError.self) { try Exploration(text) }
        #expect(error?.description.isEmpty == false)
    }

    @Test("Seeds are played in portions, up to the last number there is")
    func portions() throws {
        #expect(try Exploration("seeds=500").portions == [.seeds(1...200), .seeds(201...400), .seeds(401...500)])
        let last = try Exploration("seeds=18446744073709551415..18446744073709551615")
        #expect(last.portions == [.seeds(UInt64.max - 200...UInt64.max - 1), .seeds(UInt64.max...UInt64.max)])
        #expect(try Exploration("seeds=10000000").portions.count == 50_000)
        #expect(try Exploration("hostile=201").portions == [.hostileSeeds(1...200), .hostileSeeds(201...201)])
    }

    @Test(
        "A cancel that reaches no task is no proof",
        arguments: [
            ("cancel:nobody:3", "no task is called 'nobody'; there is t"),
            ("cancel:t:99999", "cancel:t:99999 is never reached"),
        ])
    func unreachedCancel(text: String, message: String) throws {
        let outcome = try explore(Sample.get, try Exploration(text))
        #expect(outcome.positions == 0)
        #expect(outcome.findings.first?.summary.hasPrefix(message) == true)
    }
}

@Suite("Judging a cancel")
struct CancelJudgeTests {
    private func isRight(_ outcome: SeenEvent.Outcome?, wasCancelled: Bool = true) -> Bool {
        var baseline = CaseObservation(), observation = CaseObservation()
        baseline.journal.record(Make.seen(.complete) { $0.outcome = .failure(code: "timedOut", hasResumeData: false) })
        if let outcome { observation.journal.record(Make.seen(.complete) { $0.outcome = outcome }) }
        observation.wasCancelled = wasCancelled
        return CancelJudge(baseline: baseline, rule: CancelRule(label: "t", step: 3)).findings(observation).isEmpty
    }

    @Test("It ends the task as cancelled, or comes too late to change its end")
    func right() {
        #expect(isRight(.failure(code: "cancelled", hasResumeData: false)))
        #expect(isRight(.failure(code: "timedOut", hasResumeData: false)))
        #expect(isRight(nil, wasCancelled: false))
    }

    @Test("Another end, or none, is wrong")
    func wrong() {
        #expect(!isRight(.success))
        #expect(!isRight(.failure(code: "networkConnectionLost", hasResumeData: false)))
        #expect(!isRight(nil))
    }
}
