import ScenarioFormat

/// Records of what is not the same every time. One is stale when none of its cases ever differs, so those that conform
/// are kept back until all have been played.
package struct FlakyRecords {
    private var conforming: [(result: CaseResult, record: KnownDifference)] = []
    /// The places of records that have been seen to differ.
    private var differing: Set<String> = []

    package init() {}

    /// Returns what can be reported already.
    package mutating func settled(_ result: CaseResult, _ record: KnownDifference?) -> CaseResult? {
        let settled = RecordedDifference.settled(result, record)
        guard let record, record.verdict == .flaky, case .recorded = settled.verdict else { return settled }
        if result.verdict == .pass {
            conforming.append((result, record))
            return nil
        }
        differing.insert(record.mark.description)
        return settled
    }

    /// What was kept back. `isWhole` says whether all that a record is about was played.
    package func rest(isWhole: (KnownDifference) -> Bool) -> [CaseResult] {
        conforming.map { result, record in
            let isStale = !differing.contains(record.mark.description) && isWhole(record)
            return isStale ? RecordedDifference.stale(result, record) : RecordedDifference.settled(result, record)
        }
    }
}
