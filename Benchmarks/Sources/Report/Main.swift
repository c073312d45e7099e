import Foundation

/// `report ROUNDS RESULTS`: from several rounds the median one of each client and workload, as lines and as a table.
@main
struct Main {
    struct Measurement: Codable {
        var client: String
        var work: String
        var n: Int
        var cpu_us_per_request: Double
        var wall_s: Double
        var maxrss_kb: Int
        var failed: Int

        var library: Substring { client.prefix { $0 != "/" } }
        var style: Substring { client.drop { $0 != "/" }.dropFirst() }
    }

    static func main() throws {
        guard CommandLine.arguments.count == 3 else {
            FileHandle.standardError.write(Data("usage: report ROUNDS RESULTS\n".utf8))
            exit(2)
        }
        let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
        let decoder = JSONDecoder()
        let rounds = try text.split(separator: "\n").map { try decoder.decode(Measurement.self, from: Data($0.utf8)) }
        let medians = medians(of: rounds)
        try write(medians, to: CommandLine.arguments[2])
        printTable(medians)
        if medians.contains(where: { $0.failed > 0 }) { exit(1) }
    }

    /// By CPU time; a failure in any round is kept.
    static func medians(of rounds: [Measurement]) -> [Measurement] {
        var groups: [[Measurement]] = []
        for round in rounds {
            let place = groups.firstIndex { $0[0].client == round.client && $0[0].work == round.work }
            if let place { groups[place].append(round) } else { groups.append([round]) }
        }
        return groups.map { group in
            var median = group.sorted { $0.cpu_us_per_request < $1.cpu_us_per_request }[group.count / 2]
            median.failed = group.map(\.failed).reduce(0, +)
            return median
        }
    }

    static func write(_ results: [Measurement], to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try results.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    static func printTable(_ results: [Measurement]) {
        print(row("work", "client", "CPU us/request", "ratio", "requests/s", "RSS MiB", "failed"))
        for result in results {
            let peer = results.first {
                $0.work == result.work && $0.style == result.style && $0.library == "foundation-networking"
            }
            let ratio = peer.map { result.cpu_us_per_request / $0.cpu_us_per_request }
            print(
                row(
                    result.work, result.client, fixed(result.cpu_us_per_request, 1),
                    ratio.map { fixed($0, 3) } ?? "-", fixed(Double(result.n) / result.wall_s, 0),
                    fixed(Double(result.maxrss_kb) / 1024, 0), String(result.failed)))
        }
        print("ratio: CPU against foundation-networking in the same style; median of the rounds")
    }

    static func row(_ work: String, _ client: String, _ figures: String...) -> String {
        let left =
            work.padding(toLength: 10, withPad: " ", startingAt: 0)
            + client.padding(toLength: 34, withPad: " ", startingAt: 0)
        return left + figures.map { String(repeating: " ", count: max(1, 15 - $0.count)) + $0 }.joined()
    }

    static func fixed(_ number: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", number) }
}
