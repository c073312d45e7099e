import ClientLane
import HTTPBasics
import Judge
import ScenarioFormat

/// Judges the judge: each case is played once in every style, then held against every mutant of what it expects.
package struct MutationRun {
    package struct Survivor: Sendable, CustomStringConvertible {
        package var id: String
        package var style: Style
        package var change: String
        package var place: String

        package var description: String { "\(place): survives: \(change) (\(id), \(style.rawValue))" }
    }

    package private(set) var mutants = 0
    package private(set) var survivors: [Survivor] = []
    /// Cases that fail as they are: there is nothing to compare with.
    package private(set) var unsound: [String] = []

    /// Plays in the simulated world, in each style that makes sense. `progress` is told after each case how many of how
    /// many are done, and its id.
    package init(
        _ scenarios: [Scenario], patterns: [ScenarioPattern], part: RunPart? = nil,
        progress: (Int, Int, String) -> Void = { _, _, _ in }
    ) throws {
        var met: Set<String> = []
        let plan = CasePlan(scenarios, patterns: patterns, worlds: [.simulated])
        try plan.demandPlayable()
        for (ordinal, planned) in plan.cases.enumerated() where planned.skip == nil && planned.obstacle == nil {
            let isFirst = met.insert(planned.id).inserted
            if part?.contains(ordinal: ordinal) ?? true { try judge(planned, isFirst: isFirst) }
            progress(ordinal + 1, plan.cases.count, planned.id)
        }
    }

    package var summary: String {
        "\(mutants.counting("mutant")), \(survivors.count) survive\(survivors.count == 1 ? "s" : "")"
    }

    /// The first style of a case must find every mutant, the others each that they can hear of.
    private mutating func judge(_ planned: PlannedCase, isFirst: Bool) throws {
        let observation = try SimulatedDriver.play(
            planned.scenarioCase, style: planned.style, options: .init(keepsTrace: false)
        ).observation
        func judge(_ expectation: Expectation) -> CaseJudge {
            CaseJudge(observation, expecting: expectation, style: planned.style, tolerance: .exact)
        }
        let written = planned.scenarioCase.expect
        guard judge(written).findings().isEmpty else {
            return unsound.append("\(planned.id), \(planned.style.rawValue)")
        }
        // What is not about the expectation holds, and would hold for every mutant.
        let narrowed = NarrowedExpectation.of(written) { judge($0).isMet }
        let right = judge(narrowed)
        for mutant in ExpectationMutants.all(of: narrowed) {
            let wrong = judge(mutant.expectation)
            guard isFirst || right.canTell(wrong) else { continue }
            mutants += 1
            guard wrong.isMet else { continue }
            let place = mutant.mark?.description ?? planned.scenario.file
            survivors.append(Survivor(id: planned.id, style: planned.style, change: mutant.change, place: place))
        }
    }
}
