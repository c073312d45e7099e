import HTTPBasics
import Judge
import NIOCore
import ScenarioFormat
import ServerScript
import Simulator

/// Judges a run in which a connection was cut, by the set of outcomes that are right
/// (SCENARIO-FORMAT 'Cuts, splits, cancels').
///
/// A task may succeed with the whole body, since a legitimate retry gets the cut exchange again; or it may fail as the
/// protocol lets it notice. It may not hang, time out or take a part for the whole. Where the end of the connection is
/// the end of the body nothing can be noticed.
struct CutJudge {
    let scenarioCase: ScenarioCase
    /// The same case without the cut.
    let baseline: CaseObservation
    let baselineWire: [WireRecord]
    let rule: CutRule

    /// Errors that a lost connection may become.
    private static let losses: Set<String> = ["networkConnectionLost"]
    /// What a cut may become inside a head, chunk framing or a compressed body (BEHAVIOUR 1.E2).
    private static let parseFailures: Set<String> = [
        "cannotParseResponse", "cannotDecodeRawData", "cannotDecodeContentData", "downloadDecodingFailedMidStream",
        "downloadDecodingFailedToComplete",
    ]

    func findings(_ observation: CaseObservation) -> [Finding] {
        var findings = Invariants.breaches(in: observation) + wireFindings(observation)
        // A lane whose trigger can no longer come stands still, and with it all tasks that wait for it.
        let isLaneBlocked = observation.wedge != nil || observation.laneFailure != nil
        for task in baseline.journal.tasks {
            guard let record = observation.journal.task(task.label), record.resumedAt != nil else { continue }
            guard let expected = completion(task.label, baseline) else { continue }
            guard let got = completion(task.label, observation) else {
                if !isStandingStill(observation) { continue }
                findings.append(finding(task.label, "\(task.label) never completed"))
                continue
            }
            if isAnsweredForAnother(task, got, observation) { continue }
            if let status = strangeStatus(task.label, observation) {
                findings.append(
                    finding(task.label, "\(task.label) was told \(status), which it is not without the cut"))
            }
            if let reason = objection(task, expected, record, got, isLaneBlocked: isLaneBlocked) {
                findings.append(finding(task.label, reason))
            }
        }
        return findings
    }

    private func completion(_ label: String, _ observation: CaseObservation) -> SeenEvent.Outcome? {
        observation.journal.events(of: label).last { $0.word == .complete }?.outcome
    }

    /// The run is over and the task is not: wrong unless the lane itself was to go on with it.
    private func isStandingStill(_ observation: CaseObservation) -> Bool {
        observation.laneFailure == nil
    }

    /// A download that goes on at another byte than without the cut gets an answer that was written for that one:
    /// it may refuse it, or take it where it stands alone.
    private func isAnsweredForAnother(
        _ task: EventJournal.TaskRecord, _ got: SeenEvent.Outcome, _ observation: CaseObservation
    ) -> Bool {
        guard task.kind == .download, !scenarioCase.script.answersRanges, observation.ranges != baseline.ranges else {
            return false
        }
        switch got {
        case .success: return true
        case .failure(let code, _): return CutJudge.losses.contains(code) || CutJudge.parseFailures.contains(code)
        }
    }

    private func objection(
        _ task: EventJournal.TaskRecord, _ expected: SeenEvent.Outcome, _ record: EventJournal.TaskRecord,
        _ got: SeenEvent.Outcome, isLaneBlocked: Bool
    ) -> String? {
        switch got {
        case .success:
            if expected == .success { return bodyObjection(task, record) }
            // An end in order before the fault comes makes what has arrived the whole body.
            if rule.effect == .fin, endsByClosing { return nil }
            // What it waited for in vain, a free connection say, came by the cut.
            if case .failure("timedOut", _) = expected, content(task).count == 0 { return nil }
            return "\(task.label) succeeded, where it fails without the cut (\(EventText.text(expected)))"
        case .failure(let code, _):
            if expected == .success, !content(task).beginsWith(record.body) {
                return "\(task.label) was given other bytes than without the cut"
            }
            if got == expected { return nil }
            if case .failure(code, _) = expected { return nil }
            if CutJudge.losses.contains(code) || CutJudge.parseFailures.contains(code) && isInFraming { return nil }
            if isSealed, code == "secureConnectionFailed" { return nil }
            // A proxy's word that is cut short (BEHAVIOUR 2.E4-codes, 2.E7-codes).
            if !scenarioCase.script.proxies.isEmpty, code.hasPrefix("cf") { return nil }
            if isLaneBlocked, code == "timedOut" { return nil }
            return "\(task.label) failed with \(code); a cut may only become \(allowed)"
        }
    }

    private var allowed: String {
        let extra = isInFraming ? CutJudge.parseFailures.sorted() : []
        return (CutJudge.losses.sorted() + extra).joined(separator: ", ")
    }

    /// A status that the script gives this task at no time. A task that has no response there may get one by the cut.
    private func strangeStatus(_ label: String, _ observation: CaseObservation) -> Int? {
        let known = baseline.statuses(of: label)
        // A proxy asks whoever comes first: without the cut that may have been another task.
        let asks = scenarioCase.script.proxies.isEmpty ? [] : [407]
        return known.isEmpty ? nil : observation.statuses(of: label).first { !known.contains($0) && !asks.contains($0) }
    }

    private func bodyObjection(_ task: EventJournal.TaskRecord, _ record: EventJournal.TaskRecord) -> String? {
        let whole = content(task), got = content(record)
        if whole == got { return nil }
        if rule.effect == .fin, endsByClosing, isBeginning(got, of: whole, task.label) { return nil }
        return "\(task.label) succeeded with \(got.count.counting("byte")), the whole body has \(whole.count)"
    }

    /// Whoever reads lines has a line break behind one that was cut.
    private func isBeginning(_ got: SeenContent, of whole: SeenContent, _ label: String) -> Bool {
        if whole.beginsWith(got) { return true }
        let readsLines = scenarioCase.client.contains { step in
            if case .task(let task) = step.action { task.label == label && task.readsLines } else { false }
        }
        return readsLines && whole.beginsWith(SeenContent(got.prefix.dropLast()))
    }

    private func content(_ record: EventJournal.TaskRecord) -> SeenContent {
        record.returned?.body ?? record.returned?.file ?? record.body
    }

    private func finding(_ label: String, _ summary: String) -> Finding {
        Finding(.events, task: label, "\(Exploration.cut(rule)): \(summary)")
    }

    // MARK: Where the cut lies

    private var record: WireRecord? { baselineWire.first { $0.connection == rule.connection } }

    /// Where TLS protects the bytes, the place of a cut says nothing of theirs.
    private var isSealed: Bool { record?.sealed != nil }

    private var isInFraming: Bool {
        if isSealed { return true }
        guard let spans = record?.spans else { return true }
        let isBody = spans.contains { $0.kind == .body && $0.range.contains(rule.offset) }
        return !isBody || hasField("content-encoding:")
    }

    /// Whether the exchange that was cut announces no length: then a FIN is its end.
    private var endsByClosing: Bool { !isSealed && !hasField("content-length:") && !hasField("transfer-encoding:") }

    /// Looks into the heads of the exchange in which the cut lies.
    private func hasField(_ name: String) -> Bool {
        guard let record else { return false }
        let exchange = record.spans.last { $0.range.lowerBound <= rule.offset }?.exchange ?? 0
        return record.spans.contains { span in
            guard span.kind == .head, span.exchange == exchange else { return false }
            let start = record.fromServer.readerIndex + span.range.lowerBound
            let text = record.fromServer.getString(at: start, length: span.range.count) ?? ""
            return text.lowercased().contains("\n" + name)
        }
    }
}

extension Script {
    /// Whether it works out its answers to ranges, instead of having them written down.
    fileprivate var answersRanges: Bool {
        steps.contains { step in
            guard case .exchange(let exchange) = step.action else { return false }
            return exchange.reply?.isRanged == true
        } || routes.contains { $0.exchange.reply?.isRanged == true }
    }
}

extension SeenContent {
    fileprivate func beginsWith(_ part: SeenContent) -> Bool {
        part.count <= count && prefix.starts(with: part.prefix)
    }
}

extension CaseObservation {
    /// All that a task was told in numbers, by events or in the end. Where a download goes on, 206 and 416 are told of
    /// the part.
    fileprivate func statuses(of label: String) -> [Int] {
        let task = journal.task(label)
        let told = journal.events(of: label).compactMap(\.status) + [task?.returned?.status].compactMap(\.self)
        return task?.kind == .download ? told.filter { $0 != 206 && $0 != 416 } : told
    }

    /// What the requests that reached the server asked for, each once.
    fileprivate var ranges: Set<String> {
        Set(
            server.compactMap { event in
                guard case .request(let request) = event.kind else { return nil }
                return request.fields.first("Range") ?? ""
            })
    }
}
