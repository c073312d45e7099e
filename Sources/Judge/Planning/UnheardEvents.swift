import ScenarioFormat
import ServerScript

/// Rules about events that some style does not tell: there they demand nothing, which is to be known where they stand.
package enum UnheardEvents {
    package static func notes(_ scenario: Scenario) -> [Diagnostic] {
        let plan = CasePlan([scenario])
        var notes: [Diagnostic] = []
        for row in scenario.cases.indices {
            let styles = Style.allCases.filter { style in
                plan.cases.contains { $0.row == row && $0.style == style && $0.isPlayed }
            }
            for rule in rules(of: scenario.cases[row].expect) {
                let deaf = styles.filter { !rule.isHeard(in: $0, scenario.cases[row]) }
                guard !deaf.isEmpty else { continue }
                let note = Diagnostic(
                    .note, at: rule.mark,
                    message:
                        "'\(rule.word.rawValue)' is not told in \(deaf.map(\.rawValue).joined(separator: " and ")): "
                        + "there this demands nothing")
                if !notes.contains(note) { notes.append(note) }
            }
        }
        return notes
    }

    /// Something that a rule says of one kind of event.
    private struct Rule {
        var task: String
        var word: EventWord
        var mark: SourceMark
        /// Whether what a style returns at the end is compared as well.
        var holdsForReturned = false

        func isHeard(in style: Style, _ scenarioCase: ScenarioCase) -> Bool {
            guard let step = scenarioCase.tasks.first(where: { $0.label == task }) else { return true }
            let projection = StyleProjection(
                style: style, kind: step.kind,
                hasQuestionDelegate: style != .delegate && QuestionDelegateNeed.exists(in: scenarioCase),
                isOverheard: style == .async && step.hasOwnDelegate, isBare: scenarioCase.isBare(task))
            let visibility = projection.visibility(word)
            return visibility.isSeen || holdsForReturned && visibility.isReturned
        }
    }

    private static func rules(of expect: Expectation) -> [Rule] {
        let order = expect.order.flatMap { rule in
            rule.events.map { Rule(task: $0.task, word: $0.word, mark: rule.mark) }
        }
        return order
            + expect.tasks.flatMap { task -> [Rule] in
                let forbidden = Words.forbidden(in: task.events ?? []).sorted { $0.rawValue < $1.rawValue }
                let timing = task.timing.flatMap { rule in
                    [rule.event, rule.since].compactMap(\.word).map {
                        Rule(task: task.label, word: $0, mark: rule.mark)
                    }
                }
                return forbidden.map { Rule(task: task.label, word: $0, mark: task.mark, holdsForReturned: true) }
                    + timing
            }
    }
}
