import HTTPBasics
import ScenarioFormat

/// Rules that hold in every scenario without being written (decision 10), as far as a caller can see them.
/// The simulator's checkers look at the rest from inside.
package enum Invariants {
    package static func breaches(in observation: CaseObservation) -> [Finding] {
        let journal = observation.fullJournal ?? observation.journal
        let endless = observation.isEndless ? ["the run came to no end"] : []
        var findings = (endless + observation.breaches + journal.breaches).map { Finding(.invariant, $0) }
        for task in journal.tasks {
            var story = Story(of: task)
            for place in journal.places(of: task.label) { story.take(journal.events[place]) }
            findings += story.summaries.map { Finding(.invariant, task: task.label, $0) }
        }
        return findings
    }

    /// What one task was told so far.
    private struct Story {
        private let task: EventJournal.TaskRecord
        private var breaches: [String] = []
        private var response: (expected: Int?, isBodiless: Bool)?
        private var completion: SeenEvent?
        private var delivered = 0
        private var written = 0
        private var files = 0
        private var isMeasured = false
        private var isDownload: Bool

        init(of task: EventJournal.TaskRecord) {
            self.task = task
            isDownload = task.kind == .download
        }

        mutating func take(_ event: SeenEvent) {
            if let completion { return noteLate(event, after: completion) }
            if isMeasured, event.word != .complete {
                breaches.append("'\(event.word.rawValue)' came between metrics and completion")
            }
            switch event.word {
            case .response:
                if response != nil { breaches.append("a second response") }
                response = (event.expected, Invariants.isBodiless(event))
            case .data:
                if response == nil, !task.isOverheard { breaches.append("data before the response") }
                delivered += event.bytes
            case .becameDownload: isDownload = true
            case .wrote:
                let total = event.total ?? 0
                if total < written { breaches.append("'wrote' went back from \(written) to \(total)") }
                written = total
            case .resumed: written = event.offset ?? 0
            case .file:
                files += 1
                if files == 2 { breaches.append("two files for one download") }
            case .metrics: isMeasured = true
            case .complete: completion = event
            default: break
            }
        }

        /// One completion, and nothing after it (BEHAVIOUR 1.B1-3).
        private mutating func noteLate(_ event: SeenEvent, after completion: SeenEvent) {
            breaches.append(
                event.word == .complete
                    ? "completed twice: '\(EventText.text(completion))', then '\(EventText.text(event))'"
                    : "'\(EventText.text(event))' came after completion")
        }

        var summaries: [String] {
            guard completion?.outcome == .success, !isDownload else { return breaches }
            if task.isOverheard, let body = task.returned?.body, delivered != body.count {
                return breaches + ["its delegate heard \(delivered) of \(body.count) bytes"]
            }
            guard let response, !response.isBodiless, let announced = response.expected, announced >= 0,
                delivered != announced
            else { return breaches }
            return breaches + ["success with \(delivered) of \(announced) announced bytes"]
        }
    }

    /// Announced but never sent: RFC 9110 8.6. HEAD is seen by its request line.
    fileprivate static func isBodiless(_ response: SeenEvent) -> Bool {
        response.status == 204 || response.status == 304 || response.method == "HEAD"
    }
}
