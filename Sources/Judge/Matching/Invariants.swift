import HTTPBasics
import ScenarioFormat

/// Rules that hold in every scenario without being written (decision 10), as far as a caller can see them.
/// The simulator's checkers look at the rest from inside.
package enum Invariants {
    package static func breaches(in observation: CaseObservation) -> [Finding] {
        let journal = observation.fullJournal ?? observation.journal
        var findings = (observation.breaches + journal.breaches).map { Finding(.invariant, $0) }
        for task in journal.tasks {
            let events = journal.events(of: task.label)
            let summaries = afterCompletion(events) + misplaced(events) + [truncation(task, events)].compactMap { $0 }
            findings += summaries.map { Finding(.invariant, task: task.label, $0) }
        }
        return findings
    }

    /// One completion, and nothing after it (BEHAVIOUR 1.B1-3).
    private static func afterCompletion(_ events: [SeenEvent]) -> [String] {
        guard let index = events.firstIndex(where: { $0.word == .complete }) else { return [] }
        return events[(index + 1)...].map {
            $0.word == .complete
                ? "completed twice: '\(EventText.text(events[index]))', then '\(EventText.text($0))'"
                : "'\(EventText.text($0))' came after completion"
        }
    }

    /// Documented order: data only after a response, a file only once, nothing moves backwards but a body sent again.
    private static func misplaced(_ events: [SeenEvent]) -> [String] {
        var breaches: [String] = []
        var hasResponse = false
        var written = 0
        for event in events {
            switch event.word {
            case .response:
                if hasResponse { breaches.append("a second response") }
                hasResponse = true
            case .data where !hasResponse: breaches.append("data before the response")
            case .wrote:
                let total = event.total ?? 0
                if total < written { breaches.append("'wrote' went back from \(written) to \(total)") }
                written = total
            case .resumed: written = event.offset ?? 0
            default: break
            }
        }
        if events.reduce(0, { $1.word == .file ? $0 + 1 : $0 }) > 1 { breaches.append("two files for one download") }
        return breaches
    }

    /// A success delivers as many bytes as were announced.
    private static func truncation(_ task: EventJournal.TaskRecord, _ events: [SeenEvent]) -> String? {
        guard events.last?.word == .complete, events.last?.outcome == .success,
            let response = events.last(where: { $0.word == .response }), let announced = response.expected,
            announced >= 0, task.kind != .download, !isBodiless(response)
        else { return nil }
        let delivered = events.reduce(0) { $1.word == .data ? $0 + $1.bytes : $0 }
        if delivered == announced { return nil }
        return "success with \(delivered) of \(announced) announced bytes"
    }

    /// Announced but never sent: RFC 9110 8.6. HEAD is seen by its request line.
    private static func isBodiless(_ response: SeenEvent) -> Bool {
        response.status == 204 || response.status == 304 || response.method == "HEAD"
    }
}
