import ClientLane
import Judge
import JudgeTestSupport
import ScenarioFormat
import ServerScript
import Testing

@testable import Harness

@Suite("Judging bent answers")
struct HostileJudgeTests {
    private func observation(_ events: [SeenEvent]) -> CaseObservation {
        var observation = CaseObservation()
        var task = EventJournal.TaskRecord(label: "t", kind: .data, target: "/")
        task.resumedAt = .zero
        observation.journal.add(task: task)
        for event in events { observation.journal.record(event) }
        observation.isOver = true
        return observation
    }

    private let failed = Make.seen(.complete) { $0.outcome = .failure(code: "badServerResponse", hasResumeData: false) }

    @Test("Any one end is right")
    func right() {
        #expect(HostileJudge.findings(observation([failed])) == [])
        #expect(HostileJudge.findings(observation([Make.success])) == [])
    }

    @Test("No end and two ends are wrong, and so is a run without end")
    func ends() {
        #expect(HostileJudge.findings(observation([])).map(\.kind) == [.invariant])
        #expect(HostileJudge.findings(observation([failed, Make.success])).map(\.kind) == [.invariant])
        var endless = observation([failed])
        endless.isEndless = true
        #expect(HostileJudge.findings(endless).map(\.kind) == [.invariant])
    }

    @Test("A client that goes round in a circle is found, although it stops when it is cancelled")
    func circles() throws {
        let bend = try #require(Bend("0:0:code=404"))
        var options = SimulatedDriver.Options(rules: [.bend(bend)])
        options.adjust = {
            $0.machine = { FlawedClient(.circles, $0) }
            $0.stepLimit = 10_000
        }
        let observation = try SimulatedDriver.play(Sample.get, style: .delegate, options: options).observation
        #expect(observation.wedge?.contains("outOfSteps") == true)
        #expect(HostileJudge.findings(observation).map(\.summary) == ["the run came to no end"])
    }

    @Test("A task that was never resumed needs no end")
    func suspended() {
        var observation = CaseObservation()
        observation.journal.add(task: EventJournal.TaskRecord(label: "t", kind: .data, target: "/"))
        #expect(HostileJudge.findings(observation) == [])
    }

    @Test("Where a scenario says what it expects, it also says which files stay")
    func expectedFiles() {
        func kinds(_ files: Int, expected: Int?) -> [Finding.Kind] {
            var observation = observation([failed])
            observation.temporaryFiles = Array(repeating: "a", count: files)
            var expectation = Expectation()
            expectation.temporaryFiles = expected
            let judge = CaseJudge(observation, expecting: expectation, style: .delegate, tolerance: .exact)
            return HostileJudge.findings(observation, expecting: judge).map(\.kind)
        }
        #expect(kinds(0, expected: nil) == [])
        #expect(kinds(1, expected: nil) == [.disk])
        #expect(kinds(1, expected: 1) == [])
        #expect(kinds(0, expected: 1) == [.disk])
        #expect(kinds(2, expected: 1) == [.disk])
    }

    @Test("Files without an owner are wrong, and so is what the checkers saw")
    func leftovers() {
        var observation = observation([failed])
        observation.temporaryFiles = ["a"]
        #expect(HostileJudge.findings(observation).map(\.kind) == [.disk])
        observation.hasKeptResumeData = true
        observation.breaches = ["window: too much"]
        #expect(HostileJudge.findings(observation).map(\.kind) == [.invariant])
    }
}
