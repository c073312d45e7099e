import ScenarioFormat
import JudgeTestSupport
import Testing

@testable import Judge

@Suite("Which cases a run consists of")
struct PlannedCaseTests {
    private let scenarios = [
        Make.scenario("b/two", cases: [Make.scenarioCase("x"), Make.scenarioCase("y")]),
        Make.scenario("a/one", cases: [Make.scenarioCase()]),
        Make.scenario("c/served", cases: [Make.scenarioCase(nil, [])]),
    ]

    @Test("Cases times worlds times styles, sorted by id, without what can only be served")
    func expands() {
        let plan = CasePlan(scenarios)
        #expect(plan.cases.count == 3 * 6)
        #expect(plan.cases.first?.id == "a/one")
        #expect(plan.cases.last?.id == "b/two/y")
        #expect(plan.unmatched.isEmpty)
    }

    @Test("Patterns select; one that selects nothing is reported")
    func patterns() {
        let plan = CasePlan(
            scenarios, patterns: [ScenarioPattern("b/two/y"), ScenarioPattern("c")], worlds: [.sockets],
            styles: [.async])
        #expect(plan.cases.map(\.id) == ["b/two/y"])
        #expect(plan.unmatched.map(\.description) == ["c"])
    }

    @Test("Shards divide the expanded list")
    func shards() {
        let sizes = ["1/4", "2/4", "3/4", "4/4"].map { CasePlan(scenarios, shard: Shard($0)).cases.count }
        #expect(sizes == [5, 5, 4, 4])
    }
}
