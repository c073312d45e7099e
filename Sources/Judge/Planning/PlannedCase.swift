import ScenarioFormat

/// One row of one scenario for one client in one world and one style: what a worker plays at a time.
package struct PlannedCase: Sendable {
    package var scenario: Scenario
    package var row: Int
    package var client = ClientName.ours
    package var world: WorldName
    package var style: Style
    /// Why it is not played, if it makes no sense here.
    package var skip: String?
    /// What the client lacks for it.
    package var gap: String?

    package init(scenario: Scenario, row: Int, client: ClientName = .ours, world: WorldName, style: Style) {
        self.scenario = scenario
        self.row = row
        self.client = client
        self.world = world
        self.style = style
        let scenarioCase = scenario.cases[row]
        skip = Suitability.obstacle(scenario.needs, scenarioCase, world: world, style: style)
        if skip == nil { gap = ClientGaps.gap(of: client, scenarioCase, style: style) }
    }

    package var isPlayed: Bool { skip == nil && gap == nil }
    /// Why it cannot be played on this machine, wherever else it can.
    package var obstacle: CaseObstacle? { CaseObstacle(scenarioCase) }
    package var scenarioCase: ScenarioCase { scenario.cases[row] }
    package var id: String { scenario.id(of: scenarioCase) }
}

/// Which cases a run consists of, in the same order every time.
package struct CasePlan: Sendable {
    package var cases: [PlannedCase]
    /// Patterns that mean nothing that can be played: a mistake, never silently an empty run.
    package var unmatched: [ScenarioPattern]

    package init(
        _ scenarios: [Scenario], patterns: [ScenarioPattern] = [], clients: [ClientName] = [.ours],
        worlds: [WorldName] = WorldName.allCases, styles: [Style] = Style.allCases, part: RunPart? = nil
    ) {
        var cases: [PlannedCase] = []
        var unmatched = patterns
        for scenario in scenarios.sorted(by: { $0.id < $1.id }) {
            for row in scenario.cases.indices where !scenario.cases[row].client.isEmpty {
                let id = scenario.id(of: scenario.cases[row])
                unmatched.removeAll { $0.matches(id) }
                guard patterns.isEmpty || patterns.contains(where: { $0.matches(id) }) else { continue }
                cases += clients.flatMap { client in
                    CasePlan.expand(scenario, row: row, client, worlds: worlds, styles: styles)
                }
            }
        }
        self.unmatched = unmatched
        guard let part else {
            self.cases = cases
            return
        }
        self.cases = cases.enumerated().compactMap { part.contains(ordinal: $0.offset) ? $0.element : nil }
    }

    /// - Throws: `UsageError` for a pattern that means only scenarios without a client.
    package func demandPlayable() throws {
        guard let pattern = unmatched.first else { return }
        throw UsageError("no scenario of '\(pattern)' has a 'client:', so it can only be served")
    }

    /// What the case's scenario says of that client.
    package func difference(of result: CaseResult) -> KnownDifference? {
        guard result.client != .ours else { return nil }
        let planned = cases.first { $0.id == result.id && $0.client == result.client && $0.style == result.style }
        return planned?.scenarioCase.difference(of: result.client, in: result.style)
    }

    /// Whether all cases are in it that this record is about.
    package func isWhole(_ record: KnownDifference) -> Bool {
        func concerned(_ cases: [PlannedCase]) -> [PlannedCase] {
            cases.filter {
                $0.client == record.client && $0.isPlayed
                    && $0.scenarioCase.difference(of: $0.client, in: $0.style)?.mark == record.mark
            }
        }
        let mine = concerned(cases)
        guard let scenario = mine.first?.scenario else { return false }
        return concerned(CasePlan([scenario], clients: [record.client]).cases).count == mine.count
    }

    private static func expand(
        _ scenario: Scenario, row: Int, _ client: ClientName, worlds: [WorldName], styles: [Style]
    ) -> [PlannedCase] {
        client.worlds.filter(worlds.contains).flatMap { world in
            Style.allCases.filter(styles.contains).map { style in
                PlannedCase(scenario: scenario, row: row, client: client, world: world, style: style)
            }
        }
    }
}

extension ClientName {
    /// The simulator has our machines in it; others have sockets only.
    package var worlds: [WorldName] { self == .ours ? WorldName.allCases : [.sockets] }
}
