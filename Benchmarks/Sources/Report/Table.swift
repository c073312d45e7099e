import Foundation

extension Report {
    /// For people: every figure of every program, work by work.
    static func table(of results: [Measurement]) -> String {
        var lines = [row("work", "program/style", "CPU", "wall", "rate", "peak MiB", "grown KiB", "kept KiB", "failed")]
        for result in results {
            let rate =
                result.bytes > result.n * 1000
                ? "\(number(result.megabytesPerSecond)) MB/s" : "\(number(result.requestsPerSecond)) /s"
            lines.append(
                row(
                    result.work, result.client, duration(result.cpu_us_per_request), duration(result.wall_s * 1e6),
                    rate, number(Double(result.maxrss_kb) / 1024), String(result.grown_kb),
                    result.kept_kb.map { String($0) } ?? "-", String(result.failed)))
        }
        lines.append(
            "CPU: of the process, for one request. Grown: peak above what it had before. Kept: what was left of that, with idle "
                + "connections. Times are those of the best round.")
        return lines.joined(separator: "\n")
    }

    private static func row(_ work: String, _ client: String, _ figures: String...) -> String {
        let left =
            work.padding(toLength: 12, withPad: " ", startingAt: 0)
            + client.padding(toLength: 34, withPad: " ", startingAt: 0)
        return left + figures.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
    }

    /// Three digits and the unit that suits.
    static func duration(_ microseconds: Double) -> String {
        switch microseconds {
        case ..<1e3: "\(number(microseconds)) us"
        case ..<1e6: "\(number(microseconds / 1e3)) ms"
        default: "\(number(microseconds / 1e6)) s"
        }
    }

    static func number(_ value: Double) -> String {
        String(format: abs(value) < 10 ? "%.2f" : abs(value) < 100 ? "%.1f" : "%.0f", value)
    }
}
