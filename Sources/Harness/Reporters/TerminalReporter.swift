import Foundation
import HTTPBasics
import Judge
import ScenarioFormat

/// What a person reads: on a terminal one live line, elsewhere plain lines; failures in full; a summary that says
/// what was run where and how long it took.
package final class TerminalReporter: Reporter {
    private let isTerminal: Bool
    private let hasColors: Bool
    private let excerpt: SourceExcerpt
    /// Other shards play the rest.
    private let isPart: Bool
    private let write: (String) -> Void
    private var planned = 0
    private var done = 0
    private var failures = 0
    private var reported = 0
    private var lastLive: ContinuousClock.Instant?

    package init(
        isTerminal: Bool, hasColors: Bool, excerpt: SourceExcerpt, isPart: Bool = false,
        write: @escaping (String) -> Void
    ) {
        self.isTerminal = isTerminal
        self.hasColors = hasColors
        self.excerpt = excerpt
        self.isPart = isPart
        self.write = write
    }

    package func begin(planned: Int) { self.planned = planned }

    package func take(_ result: CaseResult) {
        if result.verdict.isFailure { failures += 1 }
        if result.verdict.isFailure || result.verdict == .unmet {
            clearLive()
            let lines = FailureText.lines(result, excerpt: excerpt.lines)
            let name = result.verdict.name.uppercased(), mark = result.verdict.isFailure ? paint(name, .red) : name
            write("\(mark)  \(lines.joined(separator: "\n"))\n\n")
        }
        progress(result)
    }

    package func end(_ totals: Totals, seconds: Double, wasInterrupted: Bool) {
        clearLive()
        if wasInterrupted { write("\(paint("Interrupted", .red)) after \(done) of \(planned.counting("case")).\n") }
        write(SummaryText.lines(totals, seconds: seconds).joined(separator: "\n") + "\n")
        write("\(outcome(totals, wasInterrupted))\n")
    }

    private func outcome(_ totals: Totals, _ wasInterrupted: Bool) -> String {
        if totals.hasFailures { return paint("FAILED", .red) }
        if wasInterrupted { return "INCOMPLETE" }
        if totals.ran > 0 { return paint("PASSED", .green) }
        return isPart ? "EMPTY SHARD: other shards play all there is" : "NOTHING WAS PLAYED"
    }

    // MARK: Progress

    private func progress(_ result: CaseResult) {
        done += 1
        if isTerminal { return showLive(result) }
        // Enough lines to see that it moves, few enough for a log.
        let percent = planned > 0 ? done * 100 / planned : 100
        guard percent >= reported + 20, done < planned else { return }
        reported = percent
        write("\(done) of \(planned.counting("case"))\(failures > 0 ? ", \(failures) failed" : "")\n")
    }

    private func showLive(_ result: CaseResult) {
        let now = ContinuousClock.now
        if let lastLive, now - lastLive < .milliseconds(50), done < planned { return }
        lastLive = now
        let failed = failures > 0 ? "  \(paint("\(failures) failed", .red))" : ""
        let name = result.id.count > 60 ? "…" + result.id.suffix(59) : result.id
        write("\r\u{1B}[2K\(bar()) \(done)/\(planned)\(failed)  \(name)")
    }

    private func bar() -> String {
        let width = 20
        let full = planned > 0 ? min(width, done * width / planned) : width
        return paint(String(repeating: "━", count: full), failures > 0 ? .red : .green)
            + String(repeating: "─", count: width - full)
    }

    private func clearLive() { if isTerminal, lastLive != nil { write("\r\u{1B}[2K") } }

    private enum Color: Int { case red = 31, green = 32 }

    private func paint(_ text: String, _ color: Color) -> String {
        hasColors ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}
