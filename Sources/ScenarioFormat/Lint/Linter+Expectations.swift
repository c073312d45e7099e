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
            checkKinds(events, of: task, in: scenarioCase)
            checkEnd(events, of: task, in: scenarioCase)
            checkCauses(events, of: task, in: scenarioCase)
            checkAmounts(expectation, of: task, in: scenarioCase)
            checkTiming(expectation, of: task, in: scenarioCase)
        }
        checkAllAreExpected(scenarioCase)
        checkOrder(scenarioCase.expect.order)
        if scenarioCase.expect.becomesInvalid == true, !scenarioCase.client.contains(where: \.action.invalidates) {
            let remedy = "write {invalidate: finish} or {invalidate: cancel} under 'client'"
            error("'session: invalid' needs a session that is invalidated", at: mark(of: "session:"), remedy: remedy)
        }
    }

    /// Each rule is about the first of its kind, so nothing comes before itself, not by way of other rules either: that
    /// is found by one walk along them.
    private func checkOrder(_ rules: [OrderRule]) {
        var following: [OrderRule.Place: [OrderRule]] = [:]
        for rule in rules { following[rule.earlier, default: []].append(rule) }
        var reached: Set<OrderRule.Place> = []
        for start in rules where reached.insert(start.earlier).inserted {
            // The places on the way from there, with the rules of each that were not followed yet.
            var way = [(place: start.earlier, rest: following[start.earlier, default: []][...])]
            var isOnWay: Set = [start.earlier]
            while let rule = way.last?.rest.first {
                way[way.count - 1].rest.removeFirst()
                if isOnWay.contains(rule.later) {
                    let isItself = rule.earlier == rule.later
                    error(isItself ? "nothing comes before itself" : "other orders demand the opposite", at: rule.mark)
                } else if reached.insert(rule.later).inserted {
                    way.append((rule.later, following[rule.later, default: []][...]))
                    isOnWay.insert(rule.later)
                }
                while let last = way.last, last.rest.isEmpty {
                    isOnWay.remove(last.place)
                    way.removeLast()
                }
            }
        }
    }

    /// A task without an entry may fail in any way without notice.
    private func checkAllAreExpected(_ scenarioCase: ScenarioCase) {
        guard scenarioCase.bends.isEmpty else { return }
        let expected = Set(scenarioCase.expect.tasks.map(\.label))
        for step in scenarioCase.client {
            guard case .task(let task) = step.action, !expected.contains(task.label) else { continue }
            warn(
                "nothing is expected of '\(task.label)'", at: step.mark,
                remedy: "write '\(task.label): ok' under 'expect', or '\(task.label): anything'")
        }
    }

    /// The last line that begins with this key: `expect:` stands at the end of a file.
    private func mark(of key: String) -> SourceMark { log.source.mark(ofLast: key) }

    // MARK: - Events

    /// A download task has no response and data events, others have no file (BEHAVIOUR 1.B6).
    private func checkKinds(_ patterns: [EventPattern], of task: TaskStep, in scenarioCase: ScenarioCase) {
        let impossible: [EventWord] =
            switch task.kind {
            case .data where scenarioCase.mayBecomeDownload(task): [.resumed]
            // What `bytes(for:)` returns and yields are events too, though no delegate is told of them.
            case .data, .bytes, .upload: [.wrote, .resumed, .file]
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

    /// What must happen for an event to come, where the script tells.
    private func checkCauses(_ patterns: [EventPattern], of task: TaskStep, in scenarioCase: ScenarioCase) {
        let script = scenarioCase.script
        for match in patterns.flatMap(\.demanded) {
            switch match.word {
            case .redirect where !scenarioCase.redirects:
                warn("nothing in the script redirects", at: match.mark)
            case .challenge where !scenarioCase.challenges:
                warn("nothing in the script challenges", at: match.mark)
            case .waiting where !scenarioCase.session.waitsForConnectivity:
                warn("the session does not wait for connectivity", at: match.mark)
            case .informational where !script.informs:
                warn("no answer of the script has an 'interim' one", at: match.mark)
            case .sent where !task.hasBody && task.form == nil:
                warn("'\(task.label)' has no body, so nothing of it is sent", at: match.mark)
            case .resumed where task.resumeData == nil && task.rawResumeData == nil:
                warn("'\(task.label)' does not go on with resume data", at: match.mark)
            case .delayedRequest where task.earliestBegin == nil:
                warn("'\(task.label)' has no 'earliest-begin'", at: match.mark)
            case .willCache where scenarioCase.session.cache == nil:
                warn("the session has no 'cache'", at: match.mark)
            case .becameDownload where !scenarioCase.mayBecomeDownload(task):
                warn("nothing answers a response of '\(task.label)' with 'become-download'", at: match.mark)
            case .complete
            where ![.download, .upload].contains(task.kind) && !scenarioCase.mayBecomeDownload(task)
                && match.outcomes.allSatisfy(\.hasResumeData):
                error(
                    "only downloads and uploads have resume data, '\(task.label)' is a \(task.kind.rawValue) task",
                    at: match.mark)
            default: break
            }
        }
    }

    /// RST destroys bytes in flight, so how many arrive is not known over sockets.
    private func checkAmounts(_ expectation: TaskExpectation, of task: TaskStep, in scenarioCase: ScenarioCase) {
        let isReset = scenarioCase.script.exchanges.contains { exchange, _ in
            exchange.request.mayMatch(task.method, task.target)
                && exchange.reply?.faults.contains(where: \.cutsBody) ?? false
        }
        guard isReset, scenario.needs.worlds != [.simulated] else { return }
        let message = "after a reset the number of bytes that arrive is not certain"
        for match in (expectation.events ?? []).flatMap(\.matches) {
            if case .exactly(let total)? = match.total, match.word == .data || match.word == .wrote {
                warn(message, at: match.mark, remedy: "write at-most \(total), or needs: {world: simulated}")
            } else if match.word == .data, match.content != nil {
                warn(message, at: match.mark, remedy: "write a total with at-most, or needs: {world: simulated}")
            }
        }
        if expectation.body != nil {
            warn(message, at: expectation.mark, remedy: "leave 'body' out, or write needs: {world: simulated}")
        }
    }
}

extension EventPattern {
    fileprivate var isNever: Bool {
        if case .never = self { return true }
        return false
    }

    /// Events that must come; what stands under `maybe` and `any-of` need not.
    fileprivate var demanded: [EventMatch] {
        switch self {
        case .event(let match): [match]
        case .unordered(let patterns): patterns.flatMap(\.demanded)
        case .repeat(let times, let pattern): times.lowerBound > 0 ? pattern.demanded : []
        case .maybe, .anyOf, .never, .anything: []
        }
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

extension EventMatch.Outcome {
    fileprivate var hasResumeData: Bool {
        if case .failure(_, hasResumeData: true) = self { return true }
        return false
    }
}

extension ClientStep.Action {
    fileprivate var invalidates: Bool {
        if case .invalidate = self { return true }
        return false
    }
}

extension Fault {
    /// A reset while the body, or what it is announced by, is on its way.
    fileprivate var cutsBody: Bool {
        guard effect == .reset else { return false }
        if case .idle = landmark { return false }
        return true
    }
}

extension ScenarioCase {
    /// Whether some answer lets this task become a download.
    func mayBecomeDownload(_ task: TaskStep) -> Bool {
        client.contains { step in
            guard case .answer(let rule) = step.action, rule.answer == .becomeDownload else { return false }
            return (rule.task ?? task.label) == task.label
        }
    }
}
