import ServerScript

extension Linter {
    func checkExpectations(_ scenarioCase: ScenarioCase) {
        for expectation in scenarioCase.expect.tasks {
            guard let task = scenarioCase.tasks.first(where: { $0.label == expectation.label }) else {
                let labels = scenarioCase.tasks.map(\.label)
                let remedy = Suggestion.remedy(for: expectation.label, among: labels)
                error("no task '\(expectation.label)'", at: expectation.mark, remedy: remedy)
                continue
            }
            let events = expectation.events ?? []
            checkKinds(events, of: task)
            checkEnd(events, of: task, in: scenarioCase)
            checkTotals(events, of: task, in: scenarioCase)
            for rule in expectation.timing { check(rule, of: task, expectation, in: scenarioCase) }
        }
    }

    // MARK: - Events

    /// A download task has no response and data events, others have no file (BEHAVIOUR 1.B6).
    private func checkKinds(_ patterns: [EventPattern], of task: TaskStep) {
        let impossible: [EventWord] =
            switch task.kind {
            // What `bytes(for:)` returns and yields are events too, though no delegate is told of them.
            case .data, .bytes: [.wrote, .resumed, .file]
            case .download: [.response, .data]
            }
        for match in patterns.flatMap(\.matches) where impossible.contains(match.word) {
            error("a \(task.kind.rawValue) task has no '\(match.word.rawValue)' event", at: match.mark)
        }
    }

    /// Completion is the last message of a task (BEHAVIOUR 1.B1-3), and a closed list must name it.
    private func checkEnd(_ patterns: [EventPattern], of task: TaskStep, in scenarioCase: ScenarioCase) {
        let listed = patterns.filter { !$0.isNever }
        guard let last = listed.last else { return }
        for pattern in listed.dropLast() {
            if case .event(let match) = pattern, match.word == .complete {
                error("nothing comes after 'complete'", at: match.mark)
            }
        }
        let isAwaited = scenarioCase.client.contains { $0.action == .await(task: task.label) }
        let canEnd = last == .anything || last.matches.contains { $0.word == .complete }
        if isAwaited, !canEnd {
            let mark = listed.flatMap(\.matches).last?.mark
            warn("this list has no 'complete', which every task ends with", at: mark)
        }
    }

    /// RST destroys bytes in flight, so how many arrive is not known over sockets.
    private func checkTotals(_ patterns: [EventPattern], of task: TaskStep, in scenarioCase: ScenarioCase) {
        let isReset = scenarioCase.script.exchanges.contains { exchange, _ in
            exchange.request.mayMatch(task) && exchange.reply?.fault?.effect == .reset
        }
        guard isReset, scenario.needs.worlds != [.simulated] else { return }
        for match in patterns.flatMap(\.matches) where match.word == .data || match.word == .wrote {
            guard case .exactly(let total)? = match.total else { continue }
            let remedy = "write at-most \(total), or needs: {world: simulated}"
            warn("after a reset the number of bytes that arrive is not certain", at: match.mark, remedy: remedy)
        }
    }

    // MARK: - Timing

    private func check(
        _ rule: TimingRule, of task: TaskStep, _ expectation: TaskExpectation, in scenarioCase: ScenarioCase
    ) {
        let succeeds = (expectation.events ?? []).flatMap(\.matches).contains { $0.outcomes == [.success] }
        guard succeeds, rule.since == .resume, rule.event == .first(.complete) || rule.event == .last(.complete) else {
            return
        }
        let exchanges = scenarioCase.script.exchanges.map(\.0).filter { $0.request.mayMatch(task) }
        guard let wait = exchanges.map(\.wait).min(), wait > rule.within.upperBound else { return }
        warn("the server's pauses alone take \(wait), longer than 'within' allows", at: rule.mark)
    }
}

extension EventPattern {
    fileprivate var isNever: Bool {
        if case .never = self { return true }
        return false
    }

    /// All events that a pattern may accept.
    var matches: [EventMatch] {
        switch self {
        case .event(let match): [match]
        case .maybe(let matches): matches
        case .unordered(let patterns): patterns.flatMap(\.matches)
        case .repeat(_, let pattern): pattern.matches
        case .anyOf(let lists): lists.flatMap { $0.flatMap(\.matches) }
        case .never, .anything: []
        }
    }
}
