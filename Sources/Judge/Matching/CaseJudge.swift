import HTTPBasics
import ScenarioFormat
import ServerScript

/// Judges one played case: what was seen against what the scenario expects.
package struct CaseJudge {
    let expectation: Expectation
    let observation: CaseObservation
    let style: Style
    private let tolerance: TimingTolerance

    package init(
        _ observation: CaseObservation, expecting expectation: Expectation, style: Style, tolerance: TimingTolerance
    ) {
        self.expectation = expectation.resolved(observation.origins)
        self.observation = observation
        self.style = style
        self.tolerance = tolerance
    }

    /// Empty when the case passes.
    package func findings() -> [Finding] {
        var findings: [Finding] = []
        if let wedge = observation.wedge { findings.append(Finding(.wedged, wedge)) }
        findings += [observation.laneFailure].compactMap { $0 } + scriptFindings() + expectationFindings()
        return findings + Invariants.breaches(in: observation)
    }

    /// Whether all is as it is written under `expect:`, even if other rules are broken.
    package var isMet: Bool { expectationFindings().isEmpty }

    private func expectationFindings() -> [Finding] {
        expectation.tasks.flatMap(findings) + orderFindings() + wireFindings() + closeFindings() + endFindings()
    }

    /// Whether what may come a moment late has come: closes, and the end of the session.
    package var isSettled: Bool {
        closeFindings().isEmpty && sessionFindings().isEmpty
            && WireMatch.connections(in: observation.server) >= (expectation.connections?.lowerBound ?? 0)
    }

    // MARK: The server's side

    private func scriptFindings() -> [Finding] {
        let violations = observation.server.compactMap { event -> Finding? in
            guard case .violation(let violation) = event.kind else { return nil }
            return Finding(
                .violation, place: violation.nearest?.description, violation.summary, seen: seen(violation),
                details: violation.differences)
        }
        guard !observation.unconsumed.isEmpty else { return violations }
        let left = observation.unconsumed.count
        let summary = "the script was not consumed: \(left.counting("step")) \(left == 1 ? "is" : "are") left"
        return violations + [Finding(.script, summary, details: observation.unconsumed)]
    }

    /// What was asked for, and the first thing that is wrong with it, without places in the file.
    private func seen(_ violation: Violation) -> String {
        let request = violation.summary.part(before: " on connection")
        // Whether a connection has closed already may be another moment every time.
        let difference = violation.differences.first.map {
            $0.part(before: " (").replacing(", which is closed", with: "")
        }
        return difference.map { "server got \(request) (\($0))" } ?? "server got \(request)"
    }

    private func wireFindings() -> [Finding] {
        var findings: [Finding] = []
        let requests = WireMatch.requests(in: observation.server)
        if let wire = expectation.wire, let difference = WireMatch.difference(of: wire, requests: requests) {
            let diff = DiffText.lines(
                expected: WireMatch.lines(of: wire, asIn: requests), got: requests.map(\.line), markAt: difference.index
            )
            findings.append(
                Finding(
                    .wire, place: difference.mark?.description,
                    "request \(difference.index + 1) on the wire: \(difference.reason)", details: diff))
        }
        let connections = WireMatch.connections(in: observation.server)
        if let wanted = expectation.connections, !wanted.contains(connections) {
            let place = expectation.connectionsMark?.description
            let count = wanted.count == 1 ? "" : "\(wanted.lowerBound) to "
            let summary = "expected \(count)\(wanted.upperBound.counting("connection")), got \(connections)"
            findings.append(Finding(.connections, place: place, summary))
        }
        if let wanted = expectation.attempts, let attempts = observation.attempts, wanted != attempts {
            let place = expectation.attemptsMark?.description
            let summary = "expected \(wanted.counting("attempt")) to connect, got \(attempts)"
            findings.append(Finding(.connections, place: place, summary))
        }
        return findings
    }

    private func closeFindings() -> [Finding] {
        expectation.closes.compactMap { rule in
            WireMatch.difference(of: rule, targets: targets(of: rule.task), events: observation.server).map {
                Finding(.close, task: rule.task, place: rule.mark.description, $0)
            }
        }
    }

    /// What the task asked for, the last first: redirects move it on.
    private func targets(of label: String) -> [String] {
        var targets = [observation.journal.task(label)?.target].compactMap { $0 }
        for event in observation.journal.events(of: label) {
            guard event.word == .redirect, let to = event.to, let space = to.firstIndex(of: " ") else { continue }
            targets.append(String(to[to.index(after: space)...]))
        }
        return targets.reversed().map { target in
            guard target.hasPrefix("$origin"), let slash = target.firstIndex(of: "/") else { return target }
            return String(target[slash...])
        }
    }

    // MARK: The caller's side

    private func findings(_ task: TaskExpectation) -> [Finding] {
        guard let record = observation.journal.task(task.label) else {
            return [Finding(.events, task: task.label, place: task.mark.description, "the task never began")]
        }
        let projection = self.projection(of: record)
        return eventFindings(task, record, projection) + bodyFindings(task, record)
            + timingFindings(task, record, projection)
    }

    private func eventFindings(
        _ task: TaskExpectation, _ record: EventJournal.TaskRecord, _ projection: StyleProjection
    ) -> [Finding] {
        guard let patterns = task.events else { return [] }
        let ignored = Words.ignored(in: patterns)
        let seen = observation.journal.merged(of: task.label).filter { !ignored.contains($0.word) }
        let wanted = projection.seenPart(of: patterns)
        if let mismatch = EventMatcher.mismatch(wanted, against: seen) {
            return [finding(mismatch, task, wanted, seen)]
        }
        guard let completion = seen.last(where: { $0.word == .complete }), completion.outcome == .success,
            let returned = record.returned, let wanted = projection.returnedPart(of: patterns)
        else { return [] }
        let results = projection.events(of: returned, completion: completion, listing: Words.listed(in: patterns))
        return EventMatcher.mismatch(wanted, against: results).map { [finding($0, task, wanted, results)] } ?? []
    }

    private func finding(
        _ mismatch: EventMatcher.Mismatch, _ task: TaskExpectation, _ patterns: [EventPattern], _ seen: [SeenEvent]
    ) -> Finding {
        let isMissing = mismatch.seenIndex >= seen.count
        let got = isMissing ? "nothing more" : "'\(EventText.text(seen[mismatch.seenIndex]))'"
        let time = isMissing ? "" : " at \(EventText.text(seen[mismatch.seenIndex].time))"
        let alternatives = mismatch.expected.map { "'\($0)'" }.joined(separator: " or ")
        let expected = alternatives.isEmpty ? "nothing more" : alternatives
        let reason = mismatch.reason.map { " (\($0))" } ?? ""
        // What was wanted stands in the file; of an event of the right kind, only what is wrong with it.
        let bare = isMissing ? got : EventText.outline(seen[mismatch.seenIndex])
        return Finding(
            .events, task: task.label, place: (mismatch.mark ?? task.mark).description,
            "\(task.label) expected \(expected), got \(got)\(time)\(reason)",
            seen: "\(task.label) got \(bare)\(CaseJudge.property(mismatch.reason))",
            details: DiffText.lines(
                expected: patterns.flatMap { EventText.lines($0) },
                got: seen.map { "\(EventText.text($0))  \(EventText.text($0.time))" }, markAt: mismatch.seenIndex))
    }

    /// Of a difference within an event: what it is about, without counts, which may be others every time.
    private static func property(_ reason: String?) -> String {
        guard let reason, let end = reason.firstIndex(of: ":") else { return "" }
        let isCount = ["expected", "total", "offset", "content"].contains(reason[..<end])
        return " (\(isCount ? String(reason[..<end]) : reason))"
    }

    private func bodyFindings(_ task: TaskExpectation, _ record: EventJournal.TaskRecord) -> [Finding] {
        guard let wanted = task.body else { return [] }
        let completion = observation.journal.events(of: task.label).last { $0.word == .complete }
        // A handler is given no body when the task fails (BEHAVIOUR 1.B3), so there is nothing to compare.
        if style != .delegate, record.kind != .bytes, completion?.outcome != .success { return [] }
        let got = record.returned?.body ?? record.returned?.file ?? record.body
        return got.difference(from: wanted).map {
            [
                Finding(
                    .body, task: task.label, place: task.mark.description, "body of \(task.label) \($0)",
                    seen: "\(task.label) got another body")
            ]
        } ?? []
    }

    private func timingFindings(
        _ task: TaskExpectation, _ record: EventJournal.TaskRecord, _ projection: StyleProjection
    ) -> [Finding] {
        let events = observation.journal.events(of: task.label)
        return task.timing.compactMap { rule in
            TimingMatch.difference(
                of: rule, task: record, events: events, projection: projection, tolerance: tolerance
            ).map { summary in
                Finding(
                    .timing, task: task.label, place: rule.mark.description, summary,
                    seen: "\(task.label) is not in time")
            }
        }
    }

    private func orderFindings() -> [Finding] {
        expectation.order.compactMap { rule in
            OrderMatch.difference(of: rule, in: observation) { task, word in
                guard let record = observation.journal.task(task) else { return true }
                return projection(of: record).visibility(word).isSeen
            }.map {
                // Moments are others every time.
                let seen = "\(rule.later.text) not behind \(rule.earlier.text)"
                return Finding(.order, place: rule.mark.description, $0, seen: seen)
            }
        }
    }

    // MARK: When all is over

    private func endFindings() -> [Finding] {
        var findings: [Finding] = []
        let files = observation.temporaryFiles
        // Unwritten: only a download that can be continued may leave a file behind.
        let wanted = expectation.temporaryFiles ?? (observation.hasKeptResumeData ? files.count : 0)
        if wanted != files.count {
            findings.append(Finding(.disk, "expected \(wanted) temporary files, got \(files.count)", details: files))
        }
        return findings + cookieFindings() + sessionFindings()
    }

    private func cookieFindings() -> [Finding] {
        guard let wanted = expectation.cookies else { return [] }
        return CookieComparison.difference(of: wanted, in: observation.cookies ?? [], observation.origins).map {
            [Finding(.session, place: expectation.cookiesMark?.description, $0)]
        } ?? []
    }

    private func sessionFindings() -> [Finding] {
        let isInvalid = observation.journal.becameInvalidAt != nil
        guard let wanted = expectation.becomesInvalid, wanted != isInvalid else { return [] }
        return [Finding(.session, isInvalid ? "the session became invalid" : "the session never became invalid")]
    }

    func projection(of record: EventJournal.TaskRecord) -> StyleProjection {
        StyleProjection(
            style: style, kind: record.kind, hasQuestionDelegate: observation.hasQuestionDelegate,
            isOverheard: record.isOverheard, isBare: record.isBare)
    }
}

extension Expectation {
    /// Whether anything looks at the fields of a response that the caller is given.
    package var comparesFields: Bool { tasks.contains { Words.compareFields($0.events ?? []) } }
}

extension String {
    fileprivate func part(before mark: String) -> String {
        firstRange(of: mark).map { String(self[..<$0.lowerBound]) } ?? self
    }
}
