extension Trial {
    /// How many mutants a scenario may try itself on: the rarest of those that it reaches, in each world and style.
    private static let chances = 40

    /// The files with scenarios that notice none of the mutants that they reach and few others do. Such a scenario may
    /// be about something that no mutant touches; or it proves nothing.
    func suspects(among mutants: [Mutant], jobs: Int) throws -> [String] {
        let kinds = Exercise.Kind.allCases.filter(\.isOfScenarios)
        let byName = Dictionary(grouping: kinds.flatMap { exercises[$0] ?? [] }, by: \.name)
        let names = byName.keys.sorted()
        var popularity = Array(repeating: 0, count: (mutants.map(\.number).max() ?? 0) + 1)
        for exercise in exercises[.delegateStyle] ?? [] {
            for mutant in mutants where exercise.reached[mutant.number] { popularity[mutant.number] += 1 }
        }
        let rarestFirst = mutants.sorted { popularity[$0.number] < popularity[$1.number] }
        let isSuspect = try concurrently(names.count, jobs: jobs) { index in
            for exercise in byName[names[index]] ?? [] {
                let reached = rarestFirst.lazy.filter { exercise.reached[$0.number] }.prefix(Self.chances)
                if try reached.contains(where: { try play([exercise], of: exercise.kind, $0) != .exited(0) }) {
                    return false
                }
            }
            return true
        }
        return zip(names, isSuspect).compactMap { $1 ? $0 : nil }
    }
}
