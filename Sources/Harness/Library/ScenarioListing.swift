import ScenarioFormat

/// What `understudy list` prints.
package enum ScenarioListing {
    /// The ids of the cases that the patterns mean, sorted.
    package static func cases(_ scenarios: [Scenario], _ patterns: [ScenarioPattern]) -> [String] {
        let ids = scenarios.flatMap { scenario in scenario.cases.map { scenario.id(of: $0) } }
        return ids.filter { id in patterns.isEmpty || patterns.contains { $0.matches(id) } }.sorted()
    }

    /// `1.B1-3  redirect/a, redirect/b`, sorted by row. Known rows that no scenario proves come as well, with a dash:
    /// a Swift test proves them, or the tidy test fails.
    package static func rows(_ scenarios: [Scenario], known: Set<String> = []) -> [String] {
        var byRow: [String: [String]] = [:]
        for row in known { byRow[row] = [] }
        for scenario in scenarios.sorted(by: { $0.id < $1.id }) {
            for row in scenario.rows { byRow[row, default: []].append(scenario.id) }
        }
        return byRow.sorted { $0.key < $1.key }.map {
            "\($0.key)  \($0.value.isEmpty ? "-" : $0.value.joined(separator: ", "))"
        }
    }
}
