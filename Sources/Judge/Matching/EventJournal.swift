import HTTPBasics
import ScenarioFormat

/// Everything that one case's caller saw, in order, and what belongs to its tasks besides.
package struct EventJournal: Sendable {
    /// What is known of one task apart from its events.
    package struct TaskRecord: Hashable, Sendable {
        package var label: String
        package var kind: TaskStep.Kind
        package var target: String
        /// An async call with a delegate of its own, which hears the body that the call returns (BEHAVIOUR 1.B1-12).
        package var isOverheard: Bool
        /// No delegate of the task has more than results brought to it.
        package var isBare: Bool
        /// Its reader let go before the end.
        package var isLetGo = false
        package var resumedAt: Instant?
        /// Body bytes as they were given to the caller.
        package var body = SeenContent()
        /// For a task without data events: what its handler or its `await` was given.
        package var returned: ReturnedResult?
        /// By the response that it had in the end.
        package var announced: AnnouncedBody?

        package init(
            label: String, kind: TaskStep.Kind, target: String, isOverheard: Bool = false, isBare: Bool = false
        ) {
            self.isBare = isBare
            self.label = label
            self.kind = kind
            self.target = target
            self.isOverheard = isOverheard
        }
    }

    /// In the order in which they happened, not merged.
    package private(set) var events: [SeenEvent] = []
    package private(set) var tasks: [TaskRecord] = []
    /// Where a task's record stands, and its last event; for each event the one before it of the same task.
    private var records: [String: Int] = [:]
    private var latest: [String: Int] = [:]
    private var previous: [Int?] = []
    package private(set) var becameInvalidAt: Instant?
    /// Calls that no client may make, seen while recording: a second completion, a callback after the last.
    package private(set) var breaches: [String] = []

    package init() {}

    package mutating func add(task: TaskRecord) {
        records[task.label] = tasks.count
        tasks.append(task)
    }

    package mutating func record(_ event: consuming SeenEvent) {
        if becameInvalidAt != nil {
            breaches.append("'\(event.word.rawValue)' of \(event.task) after the session became invalid")
        }
        previous.append(latest.updateValue(events.count, forKey: event.task))
        events.append(event)
    }

    /// More of a body that is read byte by byte: the task's last event grows while nothing else happens.
    package mutating func append(_ bytes: [UInt8], of label: String, at time: Instant) {
        update(label) { $0.body.append(bytes) }
        let total = task(label)?.body.count
        guard let last = events.indices.last, events[last].task == label, events[last].word == .data else {
            var event = SeenEvent(.data, task: label, at: time)
            event.bytes = bytes.count
            event.total = total
            return record(event)
        }
        events[last].bytes += bytes.count
        events[last].total = total
        events[last].time = time
    }

    /// Something that holds in every case does not.
    package mutating func record(breach: String) { if !breaches.contains(breach) { breaches.append(breach) } }

    package mutating func recordInvalid(at time: Instant) {
        if becameInvalidAt != nil { breaches.append("the session became invalid twice") }
        becameInvalidAt = time
    }

    package mutating func update(_ label: String, _ change: (inout TaskRecord) -> Void) {
        if let index = records[label] { change(&tasks[index]) }
    }

    package func task(_ label: String) -> TaskRecord? { records[label].map { tasks[$0] } }

    package func events(of label: String) -> [SeenEvent] { places(of: label).map { events[$0] } }

    /// Where a task's events stand.
    package func places(of label: String) -> some Sequence<Int> { backwards(from: label).reversed() }

    package func hasSeen(_ word: EventWord, of label: String) -> Bool {
        backwards(from: label).contains { events[$0].word == word }
    }

    /// The places of a task's events, the last first.
    private func backwards(from label: String) -> some Sequence<Int> {
        sequence(state: latest[label]) { [previous] next in
            defer { next = next.flatMap { previous[$0] } }
            return next
        }
    }

    /// The task's events with runs of `data`, `sent` and `wrote` made one each, because how a body is split over
    /// calls is no contract. A total that falls starts a new run: the body is sent once more.
    package func merged(of label: String) -> [SeenEvent] {
        var merged: [SeenEvent] = []
        for event in events(of: label) {
            guard let last = merged.last, last.word == event.word, EventJournal.isMerged(event.word),
                (event.total ?? 0) >= (last.total ?? 0)
            else {
                merged.append(event)
                continue
            }
            var joined = event
            joined.bytes += last.bytes
            merged[merged.count - 1] = joined
        }
        return withBody(merged, of: label)
    }

    /// The last run of data ends with the whole body, which may then be compared as well as counted.
    private func withBody(_ merged: [SeenEvent], of label: String) -> [SeenEvent] {
        guard let body = task(label)?.body, let index = merged.lastIndex(where: { $0.word == .data }),
            merged[index].total == body.count
        else { return merged }
        var merged = merged
        merged[index].content = body
        return merged
    }

    private static func isMerged(_ word: EventWord) -> Bool { word == .data || word == .sent || word == .wrote }
}
