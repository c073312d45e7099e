import ScenarioFormat

/// Holds a result against what `differs:` says of its case (SCENARIO-FORMAT 'Known differences'): a recorded difference
/// must be there, and nothing besides it that is not recorded.
package enum RecordedDifference {
    /// How often a case is played that may conform, until it does not once.
    package static let plays = 20

    package static func settled(_ result: CaseResult, _ record: KnownDifference?) -> CaseResult {
        guard let record, let seen = Seen(result) else { return result }
        switch (record.verdict, seen) {
        case (.crashed, .crash), (.wedged, .wedge): return recorded(result, record)
        case (.different, .findings(let texts)), (.broken, .findings(let texts)):
            guard texts.first == record.seen.first, Set(texts).isSubset(of: record.seen) else { break }
            return recorded(result, record)
        case (.flaky, _) where record.may.contains(seen.outcome): return recorded(result, record)
        case (_, .conforming): return stale(result, record)
        default: break
        }
        return failed(result, record, "not as recorded: \(wanted(record)), but \(seen)")
    }

    /// A client that conforms by now.
    static func stale(_ result: CaseResult, _ record: KnownDifference) -> CaseResult {
        let plays = result.plays.map { ", however often it is played (\($0) times)" } ?? ""
        let summary = "it conforms\(plays), though recorded as \(record.verdict.rawValue): a stale record"
        return failed(result, record, summary)
    }

    /// What a record of this result says under `seen`, or the verdict without one; nil when there is nothing to record.
    package static func record(of result: CaseResult) -> (verdict: KnownDifference.Kind, seen: [String])? {
        switch Seen(result) {
        case .crash: (.crashed, [])
        case .wedge: (.wedged, [])
        case .findings(let texts): (.different, texts)
        case .conforming, nil: nil
        }
    }

    private enum Seen: Equatable, CustomStringConvertible {
        case conforming, crash, wedge
        case findings([String])

        /// Nil for what says nothing about the client.
        init?(_ result: CaseResult) {
            switch result.verdict {
            case .pass: self = .conforming
            case .wedged: self = .wedge
            case .fail, .unmet, .observed:
                let texts = Finding.inOrder(result.findings).reduce(into: [String]()) { texts, finding in
                    if !texts.contains(finding.seen) { texts.append(finding.seen) }
                }
                if result.findings.contains(where: { $0.kind == .crashed }) {
                    self = .crash
                } else if result.findings.contains(where: { $0.kind == .wedged }) {
                    self = .wedge
                } else if !texts.isEmpty {
                    self = .findings(texts)
                } else {
                    return nil
                }
            case .setupFailed, .skipped, .unimplemented, .recorded: return nil
            }
        }

        var outcome: KnownDifference.Outcome {
            switch self {
            case .conforming: .conform
            case .crash: .crash
            case .wedge: .hang
            case .findings: .differ
            }
        }

        var description: String {
            switch self {
            case .conforming: "it conforms"
            case .crash: "crashed"
            case .wedge: "wedged"
            case .findings(let texts): texts.map { "'\($0)'" }.joined(separator: " and ")
            }
        }
    }

    private static func wanted(_ record: KnownDifference) -> String {
        let may = record.may.map(\.rawValue), seen = record.seen.map { "'\($0)'" }
        return [record.verdict.rawValue, (may + seen).joined(separator: record.verdict == .flaky ? " or " : " and ")]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func recorded(_ result: CaseResult, _ record: KnownDifference) -> CaseResult {
        var result = result
        result.verdict = .recorded(because: record.because)
        return result
    }

    private static func failed(_ result: CaseResult, _ record: KnownDifference, _ summary: String) -> CaseResult {
        var result = result
        result.verdict = .fail
        result.findings.insert(Finding(.record, place: record.mark.description, summary), at: 0)
        return result
    }
}

extension Finding {
    /// As a record names them. A request that the script does not know comes first: what the caller sees of its answer
    /// follows from it. Then what the caller saw, then the rest of what the server saw.
    fileprivate static func inOrder(_ findings: [Finding]) -> [Finding] {
        func rank(_ finding: Finding) -> Int {
            switch finding.kind {
            case .violation: 0
            case .events, .body: 1
            case .lane, .wire, .script, .connections: 2
            default: 3
            }
        }
        return (0...3).flatMap { place in findings.filter { $0.kind != .record && rank($0) == place } }
    }
}
