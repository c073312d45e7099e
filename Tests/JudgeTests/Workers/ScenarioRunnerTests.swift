import JudgeTestSupport
import ScenarioFormat
import Testing

@testable import Judge

@Suite("What a scenario's kind excuses")
struct ScenarioRunnerTests {
    private func verdict(_ kind: Scenario.Kind, _ findings: [Finding.Kind], exploring: String? = nil) -> CaseVerdict {
        var scenario = Make.scenario("a/b", cases: [Make.scenarioCase()])
        scenario.kind = kind
        let planned = PlannedCase(scenario: scenario, row: 0, client: .ours, world: .simulated, style: .async)
        let runner = ScenarioRunner(load: { _, _ in scenario }) { _, request in
            var result = request.result(judge: findings.map { Finding($0, "it differs") })
            result.exploration = exploring
            return result
        }
        return runner.run(CaseRequest(number: 0, root: "/", planned: planned, seed: 0)).verdict
    }

    @Test(
        "What stands under 'expect' binds as the scenario's kind says",
        arguments: [Finding.Kind.events, .body, .timing, .order, .wire, .connections, .close, .disk, .session])
    func expected(kind: Finding.Kind) {
        #expect(verdict(.must, [kind]) == .fail)
        #expect(verdict(.should, [kind]) == .unmet)
        #expect(verdict(.should, [kind], exploring: "cut:0:1:fin") == .fail)
        #expect(verdict(.observe, [kind]) == .observed)
    }

    @Test(
        "A malformed request, a lane that cannot go on and whatever holds in every run bind a 'should' like a 'must'",
        arguments: [Finding.Kind.violation, .script, .lane, .invariant, .limit, .crashed])
    func unwritten(kind: Finding.Kind) {
        #expect(verdict(.should, [kind]) == .fail)
        #expect(verdict(.should, [.events, kind]) == .fail)
        #expect(verdict(.observe, [kind]) == .observed)
    }

    @Test("Nothing found is nothing to excuse", arguments: Scenario.Kind.allCases)
    func passes(kind: Scenario.Kind) { #expect(verdict(kind, []) == .pass) }

    @Test("What this machine cannot play is left out, and no failure")
    func obstacle() {
        let scenario = Make.scenario("a/b", cases: [Make.scenarioCase()])
        let planned = PlannedCase(scenario: scenario, row: 0, client: .foundation, world: .sockets, style: .async)
        let runner = ScenarioRunner(load: { _, _ in scenario }) { _, _ in throw CaseObstacle("needs a moon") }
        let result = runner.run(CaseRequest(number: 0, root: "/", planned: planned, seed: 0))
        #expect(result.verdict == .skipped(reason: "needs a moon"))
    }
}
