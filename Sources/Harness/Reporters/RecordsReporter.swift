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
            for record in records { text += "    - \(record)\n" }
        }
        return text
    }

    // MARK: One scenario

    /// What is seen in one case and style.
    private struct Cell: Hashable {
        var verdict: KnownDifference.Verdict
        var seen: String?
        var hangs = false
        var because: String
    }

    private func records(of scenario: Scenario, _ client: ClientName) -> [String] {
        var groups: [(cell: Cell, styles: [Style], cases: [Int])] = []
        let rows = scenario.cases.indices.filter { !playedStyles(scenario, $0).isEmpty }
        for row in rows {
            let cells = playedStyles(scenario, row).map { (style: $0, cell: cell(scenario, row, $0, client)) }
            var distinct: [Cell] = []
            for cell in cells.compactMap(\.cell) where !distinct.contains(cell) { distinct.append(cell) }
            for cell in distinct {
                let styles = cells.filter { $0.cell == cell }.map(\.style)
                // Styles in which the case is not played take whatever makes the record shorter.
                let shown = styles.count == cells.count ? Style.allCases : styles
                if let index = groups.firstIndex(where: { $0.cell == cell && $0.styles == shown }) {
                    groups[index].cases.append(row)
                } else {
                    groups.append((cell, shown, [row]))
                }
            }
        }
        return groups.map { group in
            let names = group.cases == rows ? [] : group.cases.compactMap { scenario.cases[$0].name }
            return line(group.cell, styles: group.styles, cases: names)
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
            return Cell(verdict: known.verdict, seen: known.seen, hangs: known.hangs, because: known.because)
        }
        guard let (verdict, seen) = RecordedDifference.record(of: result) else { return nil }
        return Cell(verdict: verdict, seen: seen, because: known?.because ?? "TODO")
    }

    private func line(_ cell: Cell, styles: [Style], cases: [String]) -> String {
        var parts = ["verdict: \(cell.verdict.rawValue)"]
        if let seen = cell.seen { parts.append("seen: \(quoted(seen))") }
        if cell.hangs { parts.append("hangs: yes") }
        if !cases.isEmpty { parts.append("cases: [\(cases.map(quoted).joined(separator: ", "))]") }
        if styles.count < Style.allCases.count {
            parts.append("styles: [\(styles.map(\.rawValue).joined(separator: ", "))]")
        }
        return "{\((parts + ["because: \(quoted(cell.because))"]).joined(separator: ", "))}"
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
