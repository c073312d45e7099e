import Foundation
import Judge
import ScenarioFormat

/// `records.yaml`: what `differs:` of each scenario would have to say for this run to pass, for a person to review and
/// copy. Reasons are taken over where a record had one; elsewhere they are still to be written, which no scenario
/// may leave so.
package final class RecordsReporter: Reporter {
    private let file: String
    private let plan: CasePlan
    private var results: [String: CaseResult] = [:]

    package init(file: String, plan: CasePlan) {
        self.file = file
        self.plan = plan
    }

    package func begin(planned: Int) {}
    package func take(_ result: CaseResult) {
        if result.client != .ours { results[key(result.id, result.style)] = result }
    }

    package func end(_ totals: Totals, seconds: Double, wasInterrupted: Bool) throws {
        try OutputFolder.write(Data(text.utf8), to: file)
    }

    private func key(_ id: String, _ style: Style) -> String { "\(style.rawValue) \(id)" }

    var text: String {
        var text = ""
        var done: Set<String> = []
        for planned in plan.cases where planned.client != .ours && done.insert(planned.scenario.id).inserted {
            let records = records(of: planned.scenario, planned.client)
            guard !records.isEmpty else { continue }
            text += "# \(planned.scenario.file)\ndiffers:\n  \(planned.client.rawValue):\n"
            text += records.joined()
        }
        return text
    }

    // MARK: One scenario

    /// What is seen in one case and style.
    private struct Cell {
        var verdict: KnownDifference.Kind
        var seen: [String] = []
        var may: [KnownDifference.Outcome] = []
        var because: String
        var against: Clause?

        /// Whether one record holds for both, though something more may be found in one of them.
        func isLike(_ other: Cell) -> Bool {
            verdict == other.verdict && seen.first == other.seen.first && may == other.may && because == other.because
                && against == other.against
        }

        mutating func add(_ other: Cell) { seen += other.seen.filter { !seen.contains($0) } }
    }

    private func records(of scenario: Scenario, _ client: ClientName) -> [String] {
        var groups: [(cell: Cell, styles: [Style], cases: [Int])] = []
        let rows = scenario.cases.indices.filter { !playedStyles(scenario, $0).isEmpty }
        for row in rows {
            let cells = playedStyles(scenario, row).map { (style: $0, cell: cell(scenario, row, $0, client)) }
            var distinct: [Cell] = []
            for cell in cells.compactMap(\.cell) {
                if let index = distinct.firstIndex(where: cell.isLike) {
                    distinct[index].add(cell)
                } else {
                    distinct.append(cell)
                }
            }
            for cell in distinct {
                let styles = cells.filter { $0.cell?.isLike(cell) == true }.map(\.style)
                // Styles in which the case is not played take the value that makes the record shorter.
                let shown = styles.count == cells.count ? Style.allCases : styles
                if let index = groups.firstIndex(where: { $0.cell.isLike(cell) && $0.styles == shown }) {
                    groups[index].cell.add(cell)
                    groups[index].cases.append(row)
                } else {
                    groups.append((cell, shown, [row]))
                }
            }
        }
        return groups.map { group in
            let names = group.cases == rows ? [] : group.cases.compactMap { scenario.cases[$0].name }
            return entry(group.cell, styles: group.styles, cases: names)
        }
    }

    private func playedStyles(_ scenario: Scenario, _ row: Int) -> [Style] {
        Style.allCases.filter { style in
            switch results[key(scenario.id(of: scenario.cases[row]), style)]?.verdict {
            case nil, .skipped, .unimplemented, .setupFailed: false
            default: true
            }
        }
    }

    private func cell(_ scenario: Scenario, _ row: Int, _ style: Style, _ client: ClientName) -> Cell? {
        let known = scenario.cases[row].difference(of: client, in: style)
        guard let result = results[key(scenario.id(of: scenario.cases[row]), style)] else { return nil }
        if case .recorded = result.verdict, let known {
            return Cell(
                verdict: known.verdict, seen: known.seen, may: known.may, because: known.because, against: known.against
            )
        }
        guard let (verdict, seen) = RecordedDifference.record(of: result) else { return nil }
        // Whether a standard forbids it is a person's judgement.
        let clause = verdict == .different ? known?.against : nil
        return Cell(
            verdict: clause == nil ? verdict : .broken, seen: seen, because: known?.because ?? "TODO", against: clause)
    }

    private func entry(_ cell: Cell, styles: [Style], cases: [String]) -> String {
        var lines = ["verdict: \(cell.verdict.rawValue)"]
        if cell.seen.count == 1 { lines += cell.seen.map { "seen: \(quoted($0))" } }
        if cell.seen.count > 1 { lines += ["seen:"] + cell.seen.map { "  - \(quoted($0))" } }
        if !cell.may.isEmpty { lines.append("may: [\(cell.may.map(\.rawValue).joined(separator: ", "))]") }
        if !cases.isEmpty { lines.append("cases: [\(cases.map(quoted).joined(separator: ", "))]") }
        if styles.count < Style.allCases.count {
            lines.append("styles: [\(styles.map(\.rawValue).joined(separator: ", "))]")
        }
        lines.append("because: \(quoted(cell.because))")
        if let clause = cell.against { lines.append("against: \(quoted(clause.text))") }
        return lines.enumerated().map { "    \($0 == 0 ? "-" : " ") \($1)\n" }.joined()
    }

    /// In YAML's double quotes, and with dollar signs that begin no variable.
    private func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "$": quoted += "$$"
            case _ where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\x" + (digits.count < 2 ? "0" : "") + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return "\"\(quoted)\""
    }
}
