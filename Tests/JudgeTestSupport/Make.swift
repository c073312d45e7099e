import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

/// Short words for the values that tables are made of.
package enum Make {
    package static let mark = SourceMark(file: "t.yaml", line: 1, column: 1)

    package static func seen(_ word: EventWord, at milliseconds: Int64 = 0, _ set: (inout SeenEvent) -> Void = { _ in })
        -> SeenEvent
    {
        var event = SeenEvent(word, task: "t", at: Instant(nanoseconds: milliseconds * 1_000_000))
        set(&event)
        return event
    }

    package static func match(_ word: EventWord, _ set: (inout EventMatch) -> Void = { _ in }) -> EventMatch {
        var match = EventMatch(word, mark: mark)
        set(&match)
        return match
    }

    package static func pattern(_ word: EventWord, _ set: (inout EventMatch) -> Void = { _ in }) -> EventPattern {
        .event(match(word, set))
    }

    /// A list of bare events: `response data complete`.
    package static func list(_ text: String) -> [SeenEvent] {
        text.split(separator: " ").compactMap { EventWord(rawValue: String($0)) }.map { seen($0) }
    }

    package static let success = seen(.complete) { $0.outcome = .success }

    package static func scenario(_ id: String, cases: [ScenarioCase]) -> Scenario {
        Scenario(id: id, file: "\(id).yaml", cases: cases)
    }

    package static func scenarioCase(_ name: String? = nil, _ actions: [ClientStep.Action] = [get("t")]) -> ScenarioCase
    {
        ScenarioCase(name: name, script: Script(), client: actions.map { ClientStep($0, mark: mark) }, mark: mark)
    }

    package static func get(_ label: String) -> ClientStep.Action { .task(TaskStep(label: label, target: "/")) }

    package static func result(
        _ id: String, _ verdict: CaseVerdict = .pass, _ world: WorldName = .simulated, _ style: Style = .delegate,
        seconds: Double = 0.01
    ) -> CaseResult {
        CaseResult(id: id, world: world, style: style, verdict: verdict, seconds: seconds, seed: 5)
    }
}
