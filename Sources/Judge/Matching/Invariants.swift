import HTTPBasics
import ScenarioFormat

/// Rules that hold in every scenario without being written (SCENARIO-FORMAT 'Expectations'), as far as a caller can
/// see them.
/// The simulator's checkers look at the rest from inside.
package enum Invariants {
    package static func breaches(in observation: CaseObservation) -> [Finding] {
        let journal = observation.fullJournal ?? observation.journal
        let endless = observation.isEndless ? ["the run came to no end"] : []
        var findings = (endless + observation.breaches + journal.breaches).map { Finding(.invariant, $0) }
        for task in journal.tasks {
            var story = Story(of: task)
            for place in journal.places(of: task.label) { story.take(journal.events[place]) }
            findings += story.breaches.map { Finding(.invariant, task: task.label, $0) }
            if let miscount = story.miscount {
                let seen = "\(task.label) got other than its announced bytes"
                findings.append(Finding(.invariant, task: task.label, miscount, seen: seen))
            }
            // A task that was resumed has ended by the time that its session has.
            let isOver = observation.isOver || journal.becameInvalidAt != nil
            if isOver, task.resumedAt != nil, !story.isComplete {
                findings.append(Finding(.invariant, task: task.label, "\(task.label) never completed"))
            }
        }
        return findings
    }

    /// What one task was told so far.
    private struct Story {
        private let task: EventJournal.TaskRecord
        private(set) var breaches: [String] = []
        private var response: AnnouncedBody?
        private var completion: SeenEvent?
        private var delivered = 0
        private var written = 0
        private var file: SeenContent?
        /// How long a download said that its file becomes.
        private var whole: Int?
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
                response = AnnouncedBody(
                    status: event.status, length: event.expected ?? -1, method: event.method ?? task.announced?.method,
                    isCoded: isCoded)
            case .data:
                if response == nil, !task.isOverheard, !task.isBare { breaches.append("data before the response") }
                delivered += event.bytes
            case .becameDownload: isDownload = true
            case .wrote:
                let total = event.total ?? 0
                if total < written { breaches.append("'wrote' went back from \(written) to \(total)") }
                written = total
                whole = event.expected
            case .resumed:
                written = event.offset ?? 0
                whole = event.expected
            case .file:
                if file != nil { breaches.append("two files for one download") }
                file = event.content ?? SeenContent()
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
                    : "'\(EventText.outline(event))' came after completion")
        }

        var isComplete: Bool { completion != nil }
        private var isCoded: Bool { task.announced?.isCoded ?? false }

        /// Of a success.
        var miscount: String? {
            guard completion?.outcome == .success, !task.isLetGo else { return nil }
            if isDownload { return fileDifference }
            if task.isOverheard, let body = task.returned?.body, delivered != body.count {
                return "its delegate heard \(delivered) of \(body.count) bytes"
            }
            return bodyDifference
        }

        private var bodyDifference: String? {
            (response ?? task.announced)?.difference(from: task.returned?.body?.count ?? delivered)
        }

        private var fileDifference: String? {
            guard let size = (task.returned?.file ?? file)?.count else { return nil }
            // A progress is told of what is announced, also by an answer that has no body.
            let status = task.announced?.status, method = task.announced?.method
            let told = whole.map { AnnouncedBody(status: status, length: $0, method: method, isCoded: isCoded) }
            return told?.difference(from: size) ?? task.announced?.difference(fromFile: size)
        }
    }
}
