import HTTPBasics
import ScenarioFormat
import ServerScript

/// Whether a case makes sense in a world and a style.
package enum Suitability {
    /// Why the case is left out here; nil when it can be played.
    package static func obstacle(
        _ needs: Needs, _ scenarioCase: ScenarioCase, world: WorldName, style: Style
    ) -> String? {
        if !needs.worlds.isEmpty, !needs.worlds.contains(world) { return "needs another world" }
        if !needs.styles.isEmpty, !needs.styles.contains(style) { return "needs another style" }
        if let reason = obstacle(scenarioCase, style: style) { return reason }
        if world == .sockets, scenarioCase.schedule != nil { return "follows a schedule: simulated only" }
        if world == .sockets, scenarioCase.link != nil { return "has a link of its own: simulated only" }
        if world == .sockets, scenarioCase.setsClock { return "sets the clock: simulated only" }
        if world == .sockets, !scenarioCase.bends.isEmpty { return "bends its answers: simulated only" }
        if world == .sockets, scenarioCase.names.contains(where: \.needsSimulation) {
            return "has addresses that no loopback has: simulated only"
        }
        if world == .simulated, scenarioCase.names.contains(where: \.isSystems) {
            return "asks the system for a name: sockets only"
        }
        // A test should not take a minute (SCENARIO-FORMAT 'Worlds and waits').
        if world == .sockets, scenarioCase.needsVirtualTime {
            return "waits more than 3 s: simulated only"
        }
        return nil
    }

    /// Cases that no world and style plays: they would be skipped for ever, without notice.
    package static func warnings(_ scenario: Scenario) -> [Diagnostic] {
        let plan = CasePlan([scenario])
        return scenario.cases.indices.compactMap { row in
            let planned = plan.cases.filter { $0.row == row }, reasons = planned.compactMap(\.skip)
            guard !planned.isEmpty, reasons.count == planned.count else { return nil }
            let unique = reasons.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            return Diagnostic(
                .warning, at: scenario.cases[row].mark, message: "no world and style plays this case",
                remedy: unique.joined(separator: "; "))
        }
    }

    private static func obstacle(_ scenarioCase: ScenarioCase, style: Style) -> String? {
        let tasks = Dictionary(scenarioCase.tasks.map { ($0.label, $0) }) { $1 }
        let hasQuestions = QuestionDelegateNeed.exists(in: scenarioCase)
        for step in scenarioCase.client {
            for trigger in step.when {
                if let reason = obstacle(trigger, scenarioCase, tasks, style: style, hasQuestions: hasQuestions) {
                    return reason
                }
            }
            if let reason = obstacle(step.action, style: style) { return reason }
        }
        return nil
    }

    private static func obstacle(
        _ trigger: ClientStep.Trigger, _ scenarioCase: ScenarioCase, _ tasks: [String: TaskStep], style: Style,
        hasQuestions: Bool
    ) -> String? {
        switch trigger {
        case .signal: return nil
        case .received(let task, _):
            let isWatched = style == .delegate || tasks[task]?.kind == .bytes || isOverheard(tasks[task], style)
            return isWatched ? nil : "watches bytes arrive, which this style does not tell"
        case .event(let task, let word):
            let projection = StyleProjection(
                style: style, kind: tasks[task]?.kind ?? .data, hasQuestionDelegate: hasQuestions,
                isOverheard: isOverheard(tasks[task], style), isBare: scenarioCase.isBare(task))
            return projection.visibility(word).isSeen
                ? nil : "waits for '\(word.rawValue)', which this style does not call"
        }
    }

    private static func obstacle(_ action: ClientStep.Action, style: Style) -> String? {
        switch action {
        case .task(let task):
            if task.kind == .bytes, style != .async { return "bytes(for:) exists in the async style only" }
            if task.sliced != nil, style == .delegate { return "sliced uploads have no delegate" }
            if task.isStreamed, style != .delegate { return "streamed uploads exist in the delegate style only" }
            if style == .async, !task.isResumed { return "async methods resume their task themselves" }
            if style == .async, task.earliestBegin != nil { return "async methods give no task to set a date of" }
            return nil
        case .suspend, .resume, .progress, .cancelKeepingResumeData:
            return style == .async ? "async methods give no task to hold on to" : nil
        case .answer(let rule):
            guard rule.question == .response, style != .delegate else { return nil }
            return "only a delegate is asked about a response"
        case .await, .cancel, .keepResumeData, .invalidate, .renew, .replaceSession, .advance, .setClock,
            .network, .signal,
            .shortenFile, .rewriteFile, .lengthenPartialFiles:
            return nil
        }
    }

    private static func isOverheard(_ task: TaskStep?, _ style: Style) -> Bool {
        style == .async && task?.hasOwnDelegate == true
    }
}

/// Whether a case in completion or async style gets a delegate at all, so that both ways are tried.
package enum QuestionDelegateNeed {
    package static func exists(in scenarioCase: ScenarioCase) -> Bool {
        if scenarioCase.expect.becomesInvalid != nil || measures(scenarioCase) { return true }
        if scenarioCase.session.delegate != nil { return true }
        let steps = scenarioCase.client.map(\.action)
        for case .answer in steps { return true }
        for case .task(let task) in steps where task.hasOwnDelegate { return true }
        return !words(in: scenarioCase.expect).isDisjoint(with: questions)
    }

    private static let questions: Set<EventWord> = [.redirect, .challenge, .needStream, .delayedRequest, .sent]

    /// Whether the case speaks of metrics. Collecting them costs a hop, so other cases do not.
    package static func measures(_ scenarioCase: ScenarioCase) -> Bool {
        let expect = scenarioCase.expect
        if expect.tasks.contains(where: { !Words.ignored(in: $0.events ?? []).contains(.metrics) }) { return true }
        if expect.order.contains(where: { $0.events.contains { $0.word == .metrics } }) { return true }
        return scenarioCase.client.flatMap(\.when).contains {
            if case .event(_, .metrics) = $0 { true } else { false }
        }
    }

    /// The words that some expectation speaks of, and be it that none of them comes.
    private static func words(in expect: Expectation) -> Set<EventWord> {
        var words = Set(expect.order.flatMap { $0.events.map(\.word) })
        for task in expect.tasks {
            words.formUnion(Words.listed(in: task.events ?? []))
            words.formUnion(Words.forbidden(in: task.events ?? []))
            words.formUnion(task.timing.flatMap { [$0.event.word, $0.since.word] }.compactMap(\.self))
        }
        return words
    }
}

extension TimingRule.Point {
    /// The event that it is a moment of.
    var word: EventWord? {
        switch self {
        case .first(let word), .last(let word): word
        case .resume, .transaction, .taskInterval: nil
        }
    }
}

extension ScenarioCase {
    /// Whether no delegate of the task has more than results brought to it.
    package func isBare(_ label: String) -> Bool {
        guard session.delegate == .bare else { return false }
        let own = tasks.first { $0.label == label }?.ownDelegate
        return own == nil || own == .bare
    }
}

extension ScenarioCase {
    fileprivate var setsClock: Bool {
        client.contains { if case .setClock = $0.action { true } else { false } }
    }
}
