import ScenarioFormat

/// One row of one scenario in one world and one style: what a worker plays at a time.
package struct PlannedCase: Sendable {
    package var scenario: Scenario
    package var row: Int
    package var world: WorldName
    package var style: Style
    /// Why it is not played, if it makes no sense here.
    package var skip: String?

    package var scenarioCase: ScenarioCase { scenario.cases[row] }
    package var id: String { scenario.id(of: scenarioCase) }
}

/// Which cases a run consists of, in the same order every time.
package struct CasePlan: Sendable {
    package var cases: [PlannedCase]
    /// Patterns that mean nothing that can be played: a mistake, never silently an empty run.
    package var unmatched: [ScenarioPattern]

    package init(
        _ scenarios: [Scenario], patterns: [ScenarioPattern] = [], worlds: [WorldName] = WorldName.allCases,
        styles: [Style] = Style.allCases, shard: Shard? = nil
    ) {
        var cases: [PlannedCase] = []
        var unmatched = patterns
        for scenario in scenarios.sorted(by: { $0.id < $1.id }) {
            for row in scenario.cases.indices where !scenario.cases[row].client.isEmpty {
                let id = scenario.id(of: scenario.cases[row])
                unmatched.removeAll { $0.matches(id) }
                guard patterns.isEmpty || patterns.contains(where: { $0.matches(id) }) else { continue }
                cases += CasePlan.expand(scenario, row: row, worlds: worlds, styles: styles)
            }
        }
        self.unmatched = unmatched
        guard let shard else {
            self.cases = cases
            return
        }
        self.cases = cases.enumerated().compactMap { shard.contains(ordinal: $0.offset) ? $0.element : nil }
    }

    /// - Throws: `UsageError` for a pattern that means only scenarios without a client.
    package func demandPlayable() throws {
        guard let pattern = unmatched.first else { return }
        throw UsageError("what '\(pattern)' means has no 'client:', so it can only be served")
    }

    private static func expand(
        _ scenario: Scenario, row: Int, worlds: [WorldName], styles: [Style]
    ) -> [PlannedCase] {
        WorldName.allCases.filter(worlds.contains).flatMap { world in
            Style.allCases.filter(styles.contains).map { style in
                var planned = PlannedCase(scenario: scenario, row: row, world: world, style: style)
                planned.skip = Suitability.obstacle(scenario.needs, scenario.cases[row], world: world, style: style)
                return planned
            }
        }
    }
}
