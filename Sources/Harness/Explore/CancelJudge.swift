import ClientLane
import Judge

/// Judges a run in which a task was cancelled from outside, at a moment that no scenario speaks of.
///
/// The task completes once, with -999 (BEHAVIOUR 1.B13) or as it would have without the cancel, where that came too
/// late; and the rules of every run hold here. How other tasks end is open: the script's next
/// step may have been meant for the connection that is gone.
struct CancelJudge {
    let baseline: CaseObservation
    let rule: CancelRule

    func findings(_ observation: CaseObservation) -> [Finding] {
        var findings = Invariants.breaches(in: observation)
        guard observation.wasCancelled else { return findings }
        switch completion(observation) {
        case nil: findings.append(finding("never completed"))
        case .failure("cancelled", _): break
        case let outcome? where outcome == completion(baseline): break
        case let outcome?: findings.append(finding("completed with \(EventText.text(outcome))"))
        }
        return findings
    }

    private func completion(_ observation: CaseObservation) -> SeenEvent.Outcome? {
        let journal = observation.fullJournal ?? observation.journal
        return journal.events(of: rule.label).last { $0.word == .complete }?.outcome
    }

    private func finding(_ summary: String) -> Finding {
        Finding(.events, task: rule.label, "\(Exploration.cancel(rule)): \(rule.label) \(summary)")
    }
}
