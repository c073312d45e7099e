import HTTPBasics
import Judge
import ScenarioFormat

/// The last lines of a run: how many cases ran in each world and style, how long, which were slow, what was left out.
package enum SummaryText {
    package static func lines(_ totals: Totals, seconds: Double) -> [String] {
        var lines = [headline(totals, seconds: seconds)]
        lines += table(totals)
        if totals.explored > 0 { lines.append("  explored: \(totals.explored.counting("position"))") }
        if totals.virtualSeconds >= 1 {
            lines.append("  virtual time: \(SecondsText.text(totals.virtualSeconds))")
        }
        if totals.widened > 0 {
            let cases = totals.widened.counting("case"), most = SecondsText.text(totals.widest)
            lines.append("  windows of \(cases) were widened, by \(most) at most: the machine stood still")
        }
        if totals.vague > 0 {
            lines.append("  \(totals.vague) of them beyond their meaning: that these pass says nothing")
        }
        let slow = totals.slowest.filter { $0.seconds >= 0.1 }
        if !slow.isEmpty {
            lines.append("  slowest:")
            for result in slow {
                let time = SecondsText.text(result.seconds)
                lines.append("    \(time)  \(result.id) (\(result.axes))")
            }
        }
        if !totals.skips.isEmpty {
            lines.append("  \(totals.skipped + totals.unimplemented) not played:")
            for skip in totals.skips { lines.append("    \(skip.count)  \(skip.reason)") }
        }
        return lines
    }

    private static func headline(_ totals: Totals, seconds: Double) -> String {
        var parts = ["\(totals.passed) passed"]
        if totals.failed > 0 { parts.append("\(totals.failed) failed") }
        if totals.wedged > 0 { parts.append("\(totals.wedged) wedged") }
        if totals.setupFailed > 0 { parts.append("\(totals.setupFailed) could not be set up") }
        if totals.unmet > 0 { parts.append("\(totals.unmet) not as they should be") }
        if totals.observed > 0 { parts.append("\(totals.observed) observed to differ") }
        if totals.recorded > 0 { parts.append("\(totals.recorded) differ as recorded") }
        if totals.unimplemented > 0 { parts.append("\(totals.unimplemented) unimplemented") }
        return "\(totals.ran.counting("case")) in \(SecondsText.text(seconds)): \(parts.joined(separator: ", "))"
    }

    private static func table(_ totals: Totals) -> [String] {
        let rows = ClientName.allCases.flatMap { client in client.worlds.map { (client, $0) } }.filter { row in
            totals.cells.contains { $0.client == row.0 && $0.world == row.1 && $0.ran > 0 }
        }
        guard !rows.isEmpty else { return [] }
        let names = rows.map { $0.0 == .ours ? $0.1.rawValue : $0.0.rawValue }
        let width = 14, margin = max(width, (names.map(\.count).max() ?? 0) + 2)
        var lines = ["  " + pad("", margin) + Style.allCases.map { right($0.rawValue, width) }.joined()]
        for (name, row) in zip(names, rows) {
            let cells = Style.allCases.map { style -> String in
                guard let cell = totals.cell(row.1, style, of: row.0), cell.ran > 0 else { return right("-", width) }
                return right(cell.failed > 0 ? "\(cell.ran) (\(cell.failed) bad)" : "\(cell.ran)", width)
            }
            lines.append("  " + pad(name, margin) + cells.joined())
        }
        return lines
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
