import Judge

/// A picture of one case's transfers over time, as SVG: a line for each request, a bar for each of its phases.
///
/// From the moment the task turned to the request a thin line runs to its end; bars lie on it. A phase that was cut off
/// reaches to the end of its task and has no right edge.
struct Waterfall {
    private let transfers: [Transfer]
    private let start: Double
    private let end: Double

    private static let label = 300.0
    private static let chart = 640.0
    private static let row = 18.0
    private static let axis = 16.0
    /// Phases without extent, as they are in virtual time, are seen nevertheless.
    private static let least = 1.5

    /// Nil when there is nothing to draw.
    init?(_ transfers: [Transfer]) {
        guard let start = transfers.map(\.start).min(), let end = transfers.map(\.taskEnd).max(), start.isFinite,
            end.isFinite
        else { return nil }
        self.transfers = transfers
        self.start = start
        self.end = max(end, start + 1e-6)
    }

    var svg: String {
        let width = Self.label + Self.chart, height = Self.axis + Self.row * Double(transfers.count) + 2
        var svg = "<svg class=\"waterfall\" viewBox=\"0 0 \(number(width)) \(number(height))\" "
        svg += "width=\"\(number(width))\" height=\"\(number(height))\" role=\"img\">\n"
        for tick in 0...4 { svg += self.tick(Double(tick) / 4, height: height) }
        for (index, transfer) in transfers.enumerated() {
            svg += line(transfer, top: Self.axis + Self.row * Double(index))
        }
        return svg + "</svg>\n"
    }

    private func tick(_ part: Double, height: Double) -> String {
        let x = number(Self.label + part * Self.chart)
        let anchor = part == 0 ? "start" : part == 1 ? "end" : "middle"
        let time = part == 0 ? "" : SecondsText.span((end - start) * part)
        return "<line class=\"tick\" x1=\"\(x)\" y1=\"\(number(Self.axis))\" x2=\"\(x)\" y2=\"\(number(height))\"/>"
            + "<text class=\"time\" x=\"\(x)\" y=\"11\" text-anchor=\"\(anchor)\">\(time)</text>\n"
    }

    private func line(_ transfer: Transfer, top: Double) -> String {
        let last = transfer.spans.map { $0.end ?? transfer.taskEnd }.max() ?? transfer.taskEnd
        let middle = number(top + Self.row / 2)
        var svg = "<g><title>\(Markup.escaped(tooltip(transfer)))</title>"
        svg += "<text x=\"0\" y=\"\(number(top + 13))\">\(Markup.escaped(name(transfer)))</text>"
        svg += "<line class=\"life\" x1=\"\(x(transfer.start))\" y1=\"\(middle)\" x2=\"\(x(last))\" y2=\"\(middle)\"/>"
        for span in transfer.spans { svg += bar(span, transfer, top: top) }
        return svg + "</g>\n"
    }

    private func bar(_ span: Transfer.Span, _ transfer: Transfer, top: Double) -> String {
        let left = position(span.start)
        let width = max(Self.least, position(span.end ?? transfer.taskEnd) - left)
        let kind = span.end == nil ? "\(span.phase.rawValue) open" : span.phase.rawValue
        return "<rect class=\"\(kind)\" x=\"\(number(left))\" y=\"\(number(top + 3))\" width=\"\(number(width))\" "
            + "height=\"\(number(Self.row - 6))\"/>"
    }

    // MARK: - Words

    /// What fits beside the bars: about fifty characters.
    private func name(_ transfer: Transfer) -> String {
        let status = transfer.status.map(String.init) ?? "no answer"
        let name = "\(transfer.task)  \(transfer.request)"
        let room = 48 - status.count
        return "\(name.count > room ? name.prefix(room - 1) + "…" : name[...])  \(status)"
    }

    private func tooltip(_ transfer: Transfer) -> String {
        var lines = ["\(transfer.task): \(transfer.request.prefix(500))"]
        switch transfer.isReused {
        case true?: lines.append("on a connection that was used before")
        case false?: lines.append("on a new connection")
        case nil: lines.append("without a connection")
        }
        for span in transfer.spans {
            let begin = "+\(SecondsText.span(span.start - start))"
            let length = span.end.map { SecondsText.span($0 - span.start) } ?? "cut off"
            lines.append("\(span.phase.rawValue) at \(begin): \(length)")
        }
        return lines.joined(separator: "\n")
    }

    // MARK: - Numbers

    private func position(_ time: Double) -> Double {
        let part = (time - start) / (end - start)
        return Self.label + min(1, max(0, part.isFinite ? part : 0)) * Self.chart
    }

    private func x(_ time: Double) -> String { number(position(time)) }

    private func number(_ value: Double) -> String { SecondsText.decimals(value, 1) }
}
