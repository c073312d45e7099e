import Judge
import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Harness

@Suite("Judging the judge")
struct MutationRunTests {
    private func scenario(_ change: (inout ScenarioFormat.Expectation) -> Void = { _ in }) -> Scenario {
        var sample = Sample.get
        change(&sample.expect)
        return Make.scenario("a/b", cases: [sample])
    }

    @Test("A judge that looks kills every mutant")
    func killed() throws {
        let run = try MutationRun([scenario { $0.connections = 1 }], patterns: [])
        #expect(run.mutants > 3)
        #expect(run.survivors.map(\.description) == [])
        #expect(run.unsound == [])
    }

    @Test("A case that fails as it is proves nothing")
    func unsound() throws {
        let run = try MutationRun([scenario { $0.connections = 5 }], patterns: [])
        #expect(run.unsound == ["a/b"])
        #expect(run.mutants == 0)
    }
}
