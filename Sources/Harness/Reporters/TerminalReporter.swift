import Foundation
import HTTPBasics
import Judge
import ScenarioFormat

/// What a person reads: failures in full; a summary that says what was run where and how long it took; and in between,
/// for who looks on, one live line.
package final class TerminalReporter: Reporter {
    private let colors: Colors
    /// Nil without a terminal.
    private let live: ProgressLine?
    private let excerpt: SourceExcerpt
    /// Other shards play the rest.
    private let isPart: Bool
    private let write: (String) -> Void
    private var planned = 0
    private var done = 0
    private var failures = 0

    package init(
        colors: Colors = .none, live: ProgressLine? = nil, excerpt: SourceExcerpt, isPart: Bool = false,
        write: @escaping (String) -> Void
    ) {
        self.colors = colors
        self.live = live
        self.excerpt = excerpt
        self.isPart = isPart
        self.write = write
    }

    package func begin(planned: Int) { self.planned = planned }

    package func take(_ result: CaseResult) {
        done += 1
        if result.verdict.isFailure { failures += 1 }
        if result.verdict.isFailure || result.verdict == .unmet {
            live?.clear()
            let lines = FailureText.lines(result, excerpt: excerpt.lines)
            let name = result.verdict.name.uppercased()
            let mark = result.verdict.isFailure ? colors.paint(name, .red) : name
            write("\(mark)  \(lines.joined(separator: "\n"))\n\n")
        }
        live?.show(done, of: planned, failures: failures, name: result.id)
    }

    package func end(_ totals: Totals, seconds: Double, wasInterrupted: Bool) {
        live?.clear()
        if wasInterrupted {
            write("\(colors.paint("Interrupted", .red)) after \(done) of \(planned.counting("case")).\n")
        }
        write(SummaryText.lines(totals, seconds: seconds).joined(separator: "\n") + "\n")
        write("\(outcome(totals, wasInterrupted))\n")
    }

    private func outcome(_ totals: Totals, _ wasInterrupted: Bool) -> String {
        if totals.hasFailures { return colors.paint("FAILED", .red) }
        if wasInterrupted { return "INCOMPLETE" }
        if totals.ran > 0 { return colors.paint("PASSED", .green) }
        return isPart ? "EMPTY SHARD: other shards play all there is" : "NOTHING WAS PLAYED"
    }
}
