import Foundation
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

    /// The file is written by hand alone: a case that silently leaves a world or a style is to be seen in a diff.
    @Test("A full run plays as many cases of each scenario, in each world and style, as played.txt demands")
    func pinned() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let plan = CasePlan(try ScenarioLoading.load(root: root.path + "/scenarios", patterns: []).scenarios)
        var counts: [String: [Int]] = [:]
        for planned in plan.cases where planned.isPlayed {
            guard let world = WorldName.allCases.firstIndex(of: planned.world),
                let style = Style.allCases.firstIndex(of: planned.style)
            else { continue }
            let column = world * Style.allCases.count + style
            counts[planned.scenario.id, default: [0, 0, 0, 0, 0, 0]][column] += 1
        }
        let played = counts.map { "\($0.key) \($0.value.map(String.init).joined(separator: " "))" }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("played.txt")
        let demanded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
        let missing = Set(demanded).subtracting(played).sorted(), further = Set(played).subtracting(demanded).sorted()
        #expect(missing == [], "demanded")
        #expect(further == [], "played, and to be written into played.txt if it is meant")
    }

    @Test("A record is played whole, or in part")
    func whole() {
        let record = KnownDifference(client: .foundation, verdict: .flaky, because: "so it is", mark: Make.mark)
        var cases = ["x", "y"].map { Make.scenarioCase($0) }
        for index in cases.indices { cases[index].differences = [record] }
        let scenario = Make.scenario("a/b", cases: cases)
        #expect(CasePlan([scenario], clients: [.foundation]).isWhole(record))
        #expect(!CasePlan([scenario], patterns: [ScenarioPattern("a/b/x")], clients: [.foundation]).isWhole(record))
        #expect(!CasePlan([scenario], clients: [.foundation], styles: [.async]).isWhole(record))
        #expect(!CasePlan([scenario]).isWhole(record))
    }

    @Test("Shards divide the expanded list")
    func shards() {
        let sizes = ["1/4", "2/4", "3/4", "4/4"].map { CasePlan(scenarios, part: RunPart($0)).cases.count }
        #expect(sizes == [5, 5, 4, 4])
    }
}
