import Foundation
import Judge
import ScenarioFormat

/// `report.html`: every case with its verdicts, what is wrong in full, and pictures of its transfers.
///
/// One file without scripts, which needs nothing from elsewhere. Its size is bounded: failures and pictures beyond the
/// bound are counted instead.
package final class HTMLReporter: Reporter {
    /// Bytes of failures and of pictures that one page holds.
    static let failureBytes = 4 << 20
    static let pictureBytes = 8 << 20

    private let file: String
    private var results: [CaseResult] = []

    package init(file: String) { self.file = file }

    package func begin(planned: Int) {}
    package func take(_ result: CaseResult) { results.append(result) }

    package func end(_ totals: Totals, seconds: Double, wasInterrupted: Bool) throws {
        let summary = SummaryText.lines(totals, seconds: seconds)
        let page = ReportPage(results, summary: summary, wasInterrupted: wasInterrupted)
        try OutputFolder.write(Data(page.html.utf8), to: file)
    }
}

/// The page of one run.
struct ReportPage {
    private let cases: [(id: String, results: [CaseResult])]
    private let summary: [String]
    private let wasInterrupted: Bool

    init(_ results: [CaseResult], summary: [String], wasInterrupted: Bool = false) {
        var cases: [(id: String, results: [CaseResult])] = []
        // Workers finish in any order; what was not played here says nothing about the case.
        for result in results.sorted(by: { ($0.id, $0.axes) < ($1.id, $1.axes) }) where !result.isLeftOut {
            if cases.last?.id == result.id {
                cases[cases.count - 1].results.append(result)
            } else {
                cases.append((result.id, [result]))
            }
        }
        self.cases = cases
        self.summary = summary
        self.wasInterrupted = wasInterrupted
    }

    var html: String {
        var failures = Allowance(HTMLReporter.failureBytes)
        var pictures = Allowance(HTMLReporter.pictureBytes)
        var body = ""
        var topic = ""
        for (id, results) in cases {
            let next = id.split(separator: "/").first.map(String.init) ?? id
            if next != topic {
                topic = next
                body += "<h2>\(Markup.escaped(topic))</h2>\n"
            }
            body += section(id, results, &failures, &pictures)
        }
        var page = Self.head + "<h1>Understudy</h1>\n"
        if wasInterrupted { page += "<p class=\"fail\">Interrupted: not everything was played.</p>\n" }
        page += "<pre>\(Markup.escaped(summary.joined(separator: "\n")))</pre>\n" + Self.legend
        for (what, allowance) in [("failures", failures), ("pictures", pictures)] where allowance.refused > 0 {
            page += "<p>\(allowance.refused) more \(what) would make this page too large.</p>\n"
        }
        return page + body + "</body></html>\n"
    }

    private func section(
        _ id: String, _ results: [CaseResult], _ failures: inout Allowance, _ pictures: inout Allowance
    ) -> String {
        let failed = results.filter(\.verdict.isFailure)
        let badges = results.map { result in
            let kind = result.verdict.isFailure ? "fail" : result.verdict == .pass ? "pass" : "other"
            let axes = Markup.escaped(result.axes), verdict = result.verdict.name
            return "<span class=\"\(kind)\" title=\"\(verdict)\">\(axes)\(kind == "pass" ? "" : ": \(verdict)")</span>"
        }
        var text = "<details\(failed.isEmpty ? "" : " open")><summary>\(Markup.escaped(id)) "
        text += badges.joined(separator: " ") + "</summary>\n"
        for result in failed {
            let lines = FailureText.lines(result).map { String($0.prefix(1000)) }.joined(separator: "\n")
            text += failures.take("<pre class=\"failure\">\(Markup.escaped(lines))</pre>\n")
        }
        for result in drawn(results) {
            guard let picture = result.transfers.flatMap(Waterfall.init) else { continue }
            text += pictures.take(
                "<figure><figcaption>\(Markup.escaped(result.axes))</figcaption>\(picture.svg)</figure>\n")
        }
        return text + "</details>\n"
    }

    /// One picture a world is enough, since the styles differ in nothing that it shows; but each failure has its own.
    private func drawn(_ results: [CaseResult]) -> [CaseResult] {
        var worlds: Set<WorldName> = []
        return results.filter { result in
            guard result.transfers?.isEmpty == false else { return false }
            return worlds.insert(result.world).inserted || result.verdict.isFailure
        }
    }

    // MARK: - What never changes

    private static let legend = """
        <p>\(Transfer.Phase.allCases.map { "<span class=\"key \($0.rawValue)\">\($0.rawValue)</span>" }
            .joined(separator: " ")) <span class="key open">cut off</span></p>

        """

    private static let head = """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>Understudy report</title>
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <style>
        body { font: 14px/1.5 system-ui, sans-serif; margin: 2em; color: #222; background: #fff }
        h2 { margin: 1.2em 0 0.2em; font-size: 1.1em } summary { cursor: pointer }
        pre { background: #f6f6f6; padding: 0.6em; overflow-x: auto; font-size: 12px }
        figure { margin: 0.4em 0 0.8em 1em; overflow-x: auto } figcaption { color: #666; font-size: 12px }
        span.pass, span.fail, span.other, span.key { border-radius: 3px; padding: 0 0.4em; font-size: 11px }
        .pass { background: #dff2df } span.fail { background: #c62828; color: #fff } p.fail { color: #c62828 }
        .other { background: #eee } svg text { font: 11px ui-monospace, monospace; fill: #222 }
        svg .time { fill: #888; font-size: 10px } .tick { stroke: #e4e4e4 } .life { stroke: #aaa }
        rect.lookup { fill: #00897b } rect.connect { fill: #ef6c00 } rect.secure { fill: #fdd835 }
        rect.request { fill: #8e24aa } rect.response { fill: #1e88e5 } rect.open { fill-opacity: 0.35 }
        .key.lookup { background: #00897b; color: #fff } .key.connect { background: #ef6c00; color: #fff }
        .key.secure { background: #fdd835 } .key.request { background: #8e24aa; color: #fff }
        .key.response { background: #1e88e5; color: #fff }
        .key.open { background: #cfd8dc }
        </style></head><body>

        """
}

/// How much of something a page takes in.
private struct Allowance {
    private var left: Int
    private(set) var refused = 0

    init(_ bytes: Int) { left = bytes }

    mutating func take(_ text: String) -> String {
        guard text.utf8.count <= left else {
            refused += 1
            return ""
        }
        left -= text.utf8.count
        return text
    }
}

extension CaseResult {
    fileprivate var isLeftOut: Bool {
        switch verdict {
        case .skipped, .unimplemented: true
        default: false
        }
    }
}
