import Foundation

/// One line of the results: what one program did in one round, or in the best one. The keys are those of the file.
struct Measurement: Codable {
    var work: String
    /// Program and style: `libcurl/easy`.
    var client: String
    var version: String
    var n: Int
    var bytes: Int
    var wall_s: Double
    var cpu_us_per_request: Double
    var maxrss_kb: Int
    /// The peak above what the process had before.
    var grown_kb: Int
    /// What it still had of that with its connections idle; servers and simulator do not tell.
    var kept_kb: Int?
    var failed: Int
    /// Of the time of an answer, where a rate was kept.
    var p50_us: Int?
    var p99_us: Int?

    var library: Substring { client.prefix { $0 != "/" } }
    var requestsPerSecond: Double { Double(n) / wall_s }
    var megabytesPerSecond: Double { Double(bytes) / 1e6 / wall_s }
}

extension Measurement {
    /// The least of each time by itself: whatever else a machine does only adds to it. Of memory, the median. A failure
    /// in any round is kept.
    static func best(of rounds: [Measurement]) -> [Measurement] {
        var groups: [[Measurement]] = []
        for round in rounds {
            let place = groups.firstIndex { $0[0].client == round.client && $0[0].work == round.work }
            if let place { groups[place].append(round) } else { groups.append([round]) }
        }
        return groups.map { group in
            func median<T: Comparable>(_ figure: KeyPath<Measurement, T>) -> T {
                group.map { $0[keyPath: figure] }.sorted()[group.count / 2]
            }
            // Of a work that lasts a fixed time, the number of requests belongs to its round.
            var result = group.max { $0.requestsPerSecond < $1.requestsPerSecond } ?? group[0]
            result.cpu_us_per_request = group.map(\.cpu_us_per_request).min() ?? result.cpu_us_per_request
            result.maxrss_kb = median(\.maxrss_kb)
            result.grown_kb = median(\.grown_kb)
            result.kept_kb = group.compactMap(\.kept_kb).sorted().dropFirst(group.count / 2).first
            result.p50_us = group.compactMap(\.p50_us).min()
            result.p99_us = group.compactMap(\.p99_us).min()
            result.failed = group.map(\.failed).reduce(0, +)
            return result
        }
    }

    static func read(_ path: String) throws -> [Measurement] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Measurement.self, from: Data($0.utf8)) }
    }

    /// Works that this run did not measure keep what they had: figures are compared only within a work.
    static func write(_ results: [Measurement], to path: String) throws {
        let measured = Set(results.map(\.work))
        let old = ((try? read(path)) ?? []).filter { !measured.contains($0.work) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try (old + results).map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
        try lines.sorted().joined().write(toFile: path, atomically: true, encoding: .utf8)
    }
}
