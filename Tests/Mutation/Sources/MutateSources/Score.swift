/// How many mutants were found, as a whole and by module, file and operator.
struct Score {
    struct Row {
        var mutants = 0
        var byScenarios = 0
        var byRest = 0
        var equivalent = 0
        var survived = 0

        /// Of those that could be noticed.
        var ofScenarios: Double { percent(byScenarios) }
        var ofEverything: Double { percent(byScenarios + byRest) }

        private func percent(_ found: Int) -> Double {
            let noticeable = mutants - equivalent
            return noticeable == 0 ? 100 : 100 * Double(found) / Double(noticeable)
        }

        static let heading =
            "| mutants | equivalent | survive | by scenarios alone | by everything |\n|---|---|---|---|---|---|\n"

        var cells: String {
            let columns = [mutants, equivalent, survived].map { "| \($0) " }.joined()
            return columns + "| \(Self.text(ofScenarios)) | \(Self.text(ofEverything)) |\n"
        }

        private static func text(_ percent: Double) -> String {
            let tenths = Int(percent * 10)
            return "\(tenths / 10).\(tenths % 10) %"
        }
    }

    private(set) var total = Row()
    private(set) var byModule: [String: Row] = [:]
    private var byFile: [String: Row] = [:]
    private var byOperator: [String: Row] = [:]
    private var survivors: [Mutant] = []
    /// Those that no scenario noticed, but something else did.
    private var unseenByScenarios: [Mutant] = []
    private var unreached: Set<Int> = []
    /// Of the killed, those that had to be stopped.
    private(set) var endless = 0

    mutating func count(_ mutant: Mutant, _ fate: Trial.Fate, isEquivalent: Bool) {
        var row = Row(mutants: 1)
        if fate.isOutOfTime { endless += 1 }
        if !fate.isReached { unreached.insert(mutant.number) }
        switch fate.killer {
        case .scenarios: row.byScenarios = 1
        case .rest:
            row.byRest = 1
            unseenByScenarios.append(mutant)
        case nil where isEquivalent: row.equivalent = 1
        case nil:
            row.survived = 1
            survivors.append(mutant)
        }
        Self.add(row, to: &total)
        Self.add(row, to: &byModule[mutant.module, default: Row()])
        Self.add(row, to: &byFile[mutant.file, default: Row()])
        Self.add(row, to: &byOperator[mutant.operator.rawValue, default: Row()])
    }

    private static func add(_ row: Row, to sum: inout Row) {
        sum.mutants += row.mutants
        sum.byScenarios += row.byScenarios
        sum.byRest += row.byRest
        sum.equivalent += row.equivalent
        sum.survived += row.survived
    }

    private static func table(_ title: String, _ rows: [String: Row]) -> String {
        "| \(title) " + Row.heading + rows.sorted { $0.key < $1.key }.map { "| \($0) " + $1.cells }.joined()
    }

    var tables: String { Self.table("file", byFile) + "\n" + shortTables }

    var shortTables: String {
        Self.table("module", byModule.merging(["**all**": total]) { $1 }) + "\n" + Self.table("operator", byOperator)
    }

    var survivorLines: [String] { survivors.map(line) }
    var unseenLines: [String] { unseenByScenarios.map(line) }

    private func line(_ mutant: Mutant) -> String {
        "\(mutant.name) (\(mutant.place)\(unreached.contains(mutant.number) ? ", never reached" : ""))"
    }
}
