import Foundation

/// What the rounds of a run say: `report best`, `report plot` and `report check`.
@main
struct Report {
    static let usage = """
        usage: report best ROUNDS RESULTS       write the best of each program's rounds into RESULTS, print a table
               report plot RESULTS PLOT         draw them as SVG
               report check RESULTS THRESHOLDS  hold them against the thresholds

        """

    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 3, let command = words.first else { complain(usage, status: 2) }
        let paths = Array(words.dropFirst())
        switch command {
        case "best":
            let best = Measurement.best(of: try Measurement.read(paths[0]))
            try Measurement.write(best, to: paths[1])
            print(table(of: best))
            let failed = best.map(\.failed).reduce(0, +)
            if failed > 0 { complain("\(failed) requests failed\n", status: 1) }
        case "plot":
            try plot(of: try Measurement.read(paths[0])).write(toFile: paths[1], atomically: true, encoding: .utf8)
        case "check":
            let verdicts = try Threshold.read(paths[1]).map { $0.judge(try Measurement.read(paths[0])) }
            verdicts.forEach { print($0) }
            if verdicts.contains(where: \.isBroken) { exit(1) }
        default:
            complain(usage, status: 2)
        }
    }

    static func complain(_ text: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data(text.utf8))
        exit(status)
    }
}
