import Foundation

/// A line of the file `thresholds`, which explains itself.
struct Threshold {
    enum Figure: String {
        case cpu, wall, memory, kept, rate, speed, peak, p99, tail

        func value(of result: Measurement) -> Double {
            switch self {
            case .cpu: result.cpu_us_per_request
            case .wall: result.wall_s
            case .memory: Double(result.grown_kb) / Double(result.n)
            case .kept: Double(result.kept_kb ?? .max) / Double(result.n)
            case .rate: result.requestsPerSecond
            case .speed: result.megabytesPerSecond
            case .peak: Double(result.maxrss_kb) * 1024 / 1e6
            case .p99: Double(result.p99_us ?? .max)
            case .tail: Double(result.p99_us ?? .max) / Double(max(1, result.p50_us ?? 0))
            }
        }
    }

    enum Limit: String { case atMost = "at-most", atLeast = "at-least" }

    enum Verdict: CustomStringConvertible {
        case kept(String), broken(String), notMeasured(String)

        var isBroken: Bool { if case .broken = self { true } else { false } }

        var description: String {
            switch self {
            case .kept(let text): "ok      \(text)"
            case .broken(let text): "BROKEN  \(text)"
            case .notMeasured(let text): "-       \(text): not measured"
            }
        }
    }

    struct Mistake: Error, CustomStringConvertible {
        var description: String
    }

    var work: String
    var ours: String
    var figure: Figure
    var limit: Limit
    var number: Double
    /// Nil: the number is absolute.
    var peer: String?

    static func read(_ path: String) throws -> [Threshold] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        return try lines.enumerated().compactMap { index, line in
            let words = line.split(separator: " ").map(String.init)
            if words.isEmpty || words[0].hasPrefix("#") { return nil }
            guard words.count == 6, let figure = Figure(rawValue: words[2]), let limit = Limit(rawValue: words[3]),
                let number = Double(words[4])
            else { throw Mistake(description: "\(path):\(index + 1): not WORK OURS FIGURE LIMIT NUMBER PEER: \(line)") }
            return Threshold(
                work: words[0], ours: words[1], figure: figure, limit: limit, number: number,
                peer: words[5] == "-" ? nil : words[5])
        }
    }

    /// A work that the run left out is not judged; a program that is missing in a measured work is.
    func judge(_ results: [Measurement]) -> Verdict {
        let text = "\(work) \(ours): \(figure) \(limit.rawValue) \(number)" + (peer.map { " of \($0)" } ?? "")
        let candidates = results.filter { $0.work == work }
        if candidates.isEmpty { return .notMeasured(text) }
        guard let result = candidates.first(where: { $0.client == ours }) else { return .broken("\(text): no result") }
        var value = figure.value(of: result)
        if let peer {
            guard let other = candidates.first(where: { $0.client == peer }) else {
                return .broken("\(text): no result of the peer")
            }
            value /= figure.value(of: other)
        }
        let isKept = limit == .atMost ? value <= number : value >= number
        let found = "\(text): \(String(format: "%.3f", value))"
        return isKept && result.failed == 0 ? .kept(found) : .broken(found)
    }
}
