import HTTPBasics
import Judge
import ScenarioFormat

/// Judges the judge: each case is played once, then held against every mutant of what it expects.
package struct MutationRun {
    package struct Survivor: Sendable, CustomStringConvertible {
        package var id: String
        package var change: String
        package var place: String

        package var description: String { "\(place): survives: \(change) (\(id))" }
    }

    package private(set) var mutants = 0
    package private(set) var survivors: [Survivor] = []
    /// Cases that fail as they are: there is nothing to compare with.
    package private(set) var unsound: [String] = []

    /// Plays in the simulated world, in the first style that makes sense: what others cannot see is no mutant's fault.
    package init(_ scenarios: [Scenario], patterns: [ScenarioPattern]) throws {
        var played: Set<String> = []
        let plan = CasePlan(scenarios, patterns: patterns, worlds: [.simulated])
        try plan.demandPlayable()
        for planned in plan.cases {
            guard planned.skip == nil, played.insert(planned.id).inserted else { continue }
            try judge(planned)
        }
    }

    package var summary: String {
        "\(mutants.counting("mutant")), \(survivors.count) survive\(survivors.count == 1 ? "s" : "")"
    }

    private mutating func judge(_ planned: PlannedCase) throws {
        let observation = try SimulatedDriver.play(
            planned.scenarioCase, style: planned.style, options: .init(keepsTrace: false)
        ).observation
        func passes(_ expectation: Expectation) -> Bool {
            CaseJudge(observation, expecting: expectation, style: planned.style, tolerance: .exact).findings().isEmpty
        }
        guard passes(planned.scenarioCase.expect) else { return unsound.append(planned.id) }
        for mutant in ExpectationMutants.all(of: planned.scenarioCase.expect) {
            mutants += 1
            guard passes(mutant.expectation) else { continue }
            let place = mutant.mark?.description ?? planned.scenario.file
            survivors.append(Survivor(id: planned.id, change: mutant.change, place: place))
        }
    }
}
