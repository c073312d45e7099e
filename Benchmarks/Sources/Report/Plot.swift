extension Report {
    /// One panel of bars for each work, as SVG that suits light and dark pages.
    static func plot(of results: [Measurement]) -> String {
        let panels = Panel.all(of: results)
        var parts: [String] = []
        var y = Panel.margin
        for panel in panels {
            parts.append(panel.svg(at: y))
            y += panel.height + Panel.margin
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Panel.width) \(y)" font-family="sans-serif" \
            font-size="12">
            <style>
            text { fill: #24292f } .title { font-weight: bold } .peer { fill: #8c959f } .ours { fill: #0969da }
            @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3 } .peer { fill: #6e7681 } .ours { fill: #58a6ff }
            }
            </style>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }
}

/// The bars of one work.
private struct Panel {
    static let width = 720
    static let margin = 16
    private static let bars = (left: 220, right: 90, step: 20, thickness: 13)
    private static let ours = ["session-networking", "installed", "scripted-server", "understudy"]

    var title: String
    /// Of a rate more is better, of a time less.
    var showsRate: Bool
    var results: [Measurement]

    static func all(of results: [Measurement]) -> [Panel] {
        var panels: [Panel] = []
        for (work, title, showsRate) in titles {
            let rows = results.filter { $0.work == work }
            if !rows.isEmpty { panels.append(Panel(title: title, showsRate: showsRate, results: rows)) }
        }
        return panels
    }

    private static let titles = [
        ("seq-get", "One small GET after another, client and server on one core: CPU of a request", false),
        ("conc-get", "64 small GETs at once: CPU of a request", false),
        ("body-1g", "1 GiB, thrown away: CPU", false),
        ("file-1g", "1 GiB into a file: CPU", false),
        ("bytes-300m", "300 MiB, async: CPU (ours byte by byte, the peer in buffers)", false),
        ("burst-2000", "2,000 requests at once, answered after a second: CPU of a request", false),
        ("cold-start", "A process's first answer: CPU", false),
        ("tls-get", "One small HTTPS GET after another, client and server on one core: CPU of a request", false),
        ("tls-connect", "A new HTTPS connection for each GET: CPU of a request", false),
        ("tls-resume", "The same with sessions of TLS that go on: CPU of a request", false),
        ("tls-1g", "1 GiB over TLS, thrown away: CPU", false),
        ("server", "Server with 64 connections: requests a second", true),
        ("tls-server", "The same over TLS", true),
    ]

    var height: Int { 24 + results.count * Self.bars.step }

    func svg(at y: Int) -> String {
        let most = results.map(value).max() ?? 1
        var lines = [#"<text class="title" x="8" y="\#(y + 12)">\#(title)</text>"#]
        for (index, result) in results.sorted(by: { value($0) < value($1) }).enumerated() {
            let top = y + 22 + index * Self.bars.step
            let room = Double(Self.width - Self.bars.left - Self.bars.right)
            let length = max(1, Int(room * value(result) / most))
            let kind = Self.ours.contains(String(result.library)) ? "ours" : "peer"
            let label = showsRate ? Report.number(value(result)) : Report.duration(value(result))
            let text = top + Self.bars.thickness - 2
            lines += [
                #"<text x="\#(Self.bars.left - 6)" y="\#(text)" text-anchor="end">\#(result.client)</text>"#,
                #"<rect class="\#(kind)" x="\#(Self.bars.left)" y="\#(top)" width="\#(length)" "#
                    + #"height="\#(Self.bars.thickness)"/>"#,
                #"<text x="\#(Self.bars.left + length + 6)" y="\#(text)">\#(label)</text>"#,
            ]
        }
        return lines.joined(separator: "\n")
    }

    private func value(_ result: Measurement) -> Double {
        showsRate ? result.requestsPerSecond : result.cpu_us_per_request
    }
}
