import Foundation
import Judge

/// A failed case, told in full: what differs, where in the scenario, what went over the wire, how to repeat it.
package enum FailureText {
    /// How much of a trace is printed; the report directory has all of it.
    static let traceLines = 60

    package static func lines(_ result: CaseResult, excerpt: (String) -> [String] = { _ in [] }) -> [String] {
        var lines = ["\(result.id) (\(result.axes))"]
        for finding in result.findings {
            let place = finding.place.map { "\($0): " } ?? ""
            lines.append("  \(place)\(finding.summary)")
            if let place = finding.place { lines += excerpt(place).map { "    \($0)" } }
            lines += finding.details.map { "    \($0)" }
        }
        if !result.standardError.isEmpty {
            lines.append("  standard error of the worker")
            lines += result.standardError.map { "    \($0)" }
        }
        if !result.trace.isEmpty {
            lines.append("  wire")
            lines += result.trace.prefix(traceLines).map { "    \($0)" }
            if result.trace.count > traceLines { lines.append("    … \(result.trace.count - traceLines) more lines") }
        }
        if result.client != .ours, let record = RecordedDifference.record(of: result) {
            let seen = record.seen.map { "\"\($0)\"" }.joined(separator: ", ")
            let value = record.seen.count > 1 ? "[\(seen)]" : seen
            lines.append("  record: {verdict: \(record.verdict.rawValue)\(seen.isEmpty ? "" : ", seen: \(value)")}")
        }
        lines.append("  repeat: \(result.replayCommand)")
        if let found = result.found { lines.append("  as short as it gets: \(found)") }
        return lines
    }
}

/// The line of a scenario file that a finding points to, with a caret below.
package struct SourceExcerpt {
    private let read: (String) -> String?

    /// `root` is where relative file names start.
    package init(root: String) {
        read = { file in
            let path = file.hasPrefix("/") ? file : "\(root)/\(file)"
            return try? String(contentsOfFile: path, encoding: .utf8)
        }
    }

    init(read: @escaping (String) -> String?) { self.read = read }

    /// `place` is `file:line:column`; anything else yields nothing.
    package func lines(at place: String) -> [String] {
        let parts = place.split(separator: ":")
        guard parts.count >= 3, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]),
            line > 0, column > 0, let text = read(parts.dropLast(2).joined(separator: ":"))
        else { return [] }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard line <= lines.count else { return [] }
        let source = lines[line - 1]
        let margin = "\(line) | "
        let caret = String(repeating: " ", count: margin.count + min(column - 1, source.count)) + "^"
        return [margin + source, caret]
    }
}
