import ScenarioFormat

/// Holds a result against what `differs:` says of its case (decision 11): a recorded difference must be there, and
/// exactly as recorded.
package enum RecordedDifference {
    package static func settled(_ result: CaseResult, _ record: KnownDifference?) -> CaseResult {
        guard let record, let seen = Seen(result) else { return result }
        switch (record.verdict, seen) {
        case (.flaky, .wedge) where !record.hangs:
            return failed(result, record, "not as recorded: flaky without 'hangs: yes', but it wedged")
        case (.flaky, _), (.crashed, .crash), (.wedged, .wedge): return recorded(result, record)
        case (.different, .finding(let text)) where text == record.seen: return recorded(result, record)
        case (.broken, .finding(let text)) where text == record.seen: return recorded(result, record)
        case (_, .conforming):
            return failed(result, record, "it conforms, though recorded as \(record.verdict.rawValue): a stale record")
        default:
            let wanted = [record.verdict.rawValue, record.seen.map { "'\($0)'" }].compactMap { $0 }
            return failed(result, record, "not as recorded: \(wanted.joined(separator: " ")), but \(seen)")
        }
    }

    /// What a record of this result says under `seen`, or the verdict without one; nil when there is nothing to record.
    package static func record(of result: CaseResult) -> (verdict: KnownDifference.Verdict, seen: String?)? {
        switch Seen(result) {
        case .crash: (.crashed, nil)
        case .wedge: (.wedged, nil)
        case .finding(let text): (.different, text)
        case .conforming, nil: nil
        }
    }

    private enum Seen: CustomStringConvertible {
        case conforming, crash, wedge
        case finding(String)

        /// Nil for what says nothing about the client.
        init?(_ result: CaseResult) {
            switch result.verdict {
            case .pass: self = .conforming
            case .wedged: self = .wedge
            case .fail, .unmet, .observed:
                if result.findings.contains(where: { $0.kind == .crashed }) {
                    self = .crash
                } else if let text = Finding.first(of: result.findings)?.seen {
                    self = .finding(text)
                } else {
                    return nil
                }
            case .setupFailed, .skipped, .unimplemented, .recorded: return nil
            }
        }

        var description: String {
            switch self {
            case .conforming: "it conforms"
            case .crash: "crashed"
            case .wedge: "wedged"
            case .finding(let text): "'\(text)'"
            }
        }
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
    /// The one that a record names. A request that the script does not know comes first: what the caller sees of its
    /// answer follows from it. Then what the caller saw, then the rest of what the server saw.
    static func first(of findings: [Finding]) -> Finding? {
        func rank(_ finding: Finding) -> Int {
            switch finding.kind {
            case .violation: 0
            case .events, .body: 1
            case .lane, .wire, .script, .connections: 2
            default: 3
            }
        }
        // The lowest rank, and in it the first: `min` keeps the first of equals.
        return findings.min { rank($0) < rank($1) }
    }
}
