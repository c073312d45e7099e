import Foundation
import Judge
import ScenarioFormat

/// `results.jsonl`: one object a case. All other reports could be made from it.
package final class JSONLinesReporter: Reporter {
    /// One line. The first six keys are promised; the others are there when they say something.
    struct Line: Codable, Hashable {
        var id: String
        var client: String
        var world: String
        var style: String
        var verdict: String
        var seconds: Double
        var virtualSeconds: Double?
        var reason: String?
        var findings: [Finding]?
        var explored: Int?
        var widened: Double?
        var repeatWith: String?

        init(_ result: CaseResult) {
            id = result.id
            client = result.client.rawValue
            world = result.world.rawValue
            style = result.style.rawValue
            verdict = result.verdict.name
            seconds = result.seconds
            virtualSeconds = result.virtualSeconds
            reason = result.verdict.reason
            findings = result.findings.isEmpty ? nil : result.findings
            explored = result.explored
            widened = result.widened
            repeatWith = result.verdict.isFailure ? result.replayCommand : nil
        }
    }

    private let file: String
    private var lines: [Line] = []

    package init(file: String) { self.file = file }

    package func begin(planned: Int) {}
    package func take(_ result: CaseResult) { lines.append(Line(result)) }

    package func end(_ totals: Totals, seconds: Double, wasInterrupted: Bool) throws {
        lines.sort { ($0.id, $0.client, $0.world, $0.style) < ($1.id, $1.client, $1.world, $1.style) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var data = Data()
        for line in lines {
            data += try encoder.encode(line)
            data.append(UInt8(ascii: "\n"))
        }
        try OutputFolder.write(data, to: file)
    }
}
