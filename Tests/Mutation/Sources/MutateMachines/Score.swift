/// How many mutants were found, as a whole and by file and operator.
struct Score {
    struct Row {
        var mutants = 0
        var byScenarios = 0
        var byTests = 0
        var equivalent = 0
        var survived = 0

        /// Of those that anybody could notice.
        var percent: Double {
            let noticeable = mutants - equivalent
            return noticeable == 0 ? 100 : 100 * Double(byScenarios + byTests) / Double(noticeable)
        }

        static let heading =
            "| mutants | by scenarios | by tests | equivalent | survive | score |\n|---|---|---|---|---|---|---|\n"

        var cells: String {
            let tenths = Int(percent * 10)
            let columns = [mutants, byScenarios, byTests, equivalent, survived].map { "| \($0) " }.joined()
            return columns + "| \(tenths / 10).\(tenths % 10) % |\n"
        }
    }

    private(set) var total = Row()
    private var byFile: [String: Row] = [:]
    private var byFolder: [String: Row] = [:]
    private var byOperator: [String: Row] = [:]
    private(set) var survivors: [Mutant] = []
    private var unreached: Set<Int> = []
    /// Of the killed, those that had to be stopped.
    private(set) var endless = 0

    mutating func count(_ mutant: Mutant, _ fate: Trial.Fate, isEquivalent: Bool) {
        var row = Row(mutants: 1)
        if case .killed(_, outOfTime: true) = fate { endless += 1 }
        switch fate {
        case .killed(.tests, _): row.byTests = 1
        case .killed: row.byScenarios = 1
        case .survived where isEquivalent, .unreached where isEquivalent: row.equivalent = 1
        case .survived, .unreached:
            row.survived = 1
            survivors.append(mutant)
            if fate == .unreached { unreached.insert(mutant.number) }
        }
        let folder = String(mutant.file.prefix { $0 != "/" })
        Self.add(row, to: &total)
        Self.add(row, to: &byFile[mutant.file, default: Row()])
        Self.add(row, to: &byFolder[folder, default: Row()])
        Self.add(row, to: &byOperator[mutant.operator.rawValue, default: Row()])
    }

    private static func add(_ row: Row, to sum: inout Row) {
        sum.mutants += row.mutants
        sum.byScenarios += row.byScenarios
        sum.byTests += row.byTests
        sum.equivalent += row.equivalent
        sum.survived += row.survived
    }

    private static func table(_ title: String, _ rows: [String: Row]) -> String {
        "| \(title) " + Row.heading + rows.sorted { $0.key < $1.key }.map { "| \($0) " + $1.cells }.joined()
    }

    var tables: String {
        [Self.table("file", byFile), Self.table("operator", byOperator), Self.table("all", ["": total])]
            .joined(separator: "\n")
    }

    var shortTables: String {
        [Self.table("folder", byFolder.merging(["**all**": total]) { $1 }), Self.table("operator", byOperator)]
            .joined(separator: "\n")
    }

    func survivorLines() -> [String] {
        survivors.map { "\($0.name) (\($0.place)\(unreached.contains($0.number) ? ", never reached" : ""))" }
    }
}
