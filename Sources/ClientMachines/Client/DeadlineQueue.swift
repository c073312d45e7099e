import HTTPBasics
import HeapModule

/// The earliest deadline of many tasks, without moving an entry each time a timer restarts.
///
/// An entry may be early, never late: when it comes up, its owner is asked again. Entries that count no more are
/// swept when they outnumber those that do, so the queue's size is bounded by the number of tasks.
struct DeadlineQueue {
    private struct Entry: Comparable {
        let at: Instant
        let task: TaskID

        static func < (left: Entry, right: Entry) -> Bool { (left.at, left.task) < (right.at, right.task) }
    }

    private var heap = Heap<Entry>()
    private var armed: [TaskID: Instant] = [:]

    /// The task's deadline is now this; nil means it has none for the moment.
    mutating func update(_ task: TaskID, _ deadline: Instant?) {
        guard let deadline else { return }
        if let present = armed[task], present <= deadline { return }
        armed[task] = deadline
        heap.insert(Entry(at: deadline, task: task))
        sweep()
    }

    mutating func remove(_ task: TaskID) {
        armed[task] = nil
        sweep()
    }

    /// Made anew from `armed`, because an entry may be there twice. No two entries are equal then, so that the order of
    /// the dictionary does not reach the order in which they come up.
    private mutating func sweep() {
        guard heap.count > 64, heap.count > 2 * armed.count else { return }
        heap = Heap(armed.map { Entry(at: $0.value, task: $0.key) })
    }

    /// Entries held, for tests of the bound.
    var count: Int { heap.count }

    var first: Instant? {
        mutating get {
            while let entry = heap.min, armed[entry.task] != entry.at { heap.removeMin() }
            return heap.min?.at
        }
    }

    /// The next task whose entry has come up; the caller updates it again.
    mutating func popDue(at now: Instant) -> TaskID? {
        guard let first, first <= now, let entry = heap.popMin() else { return nil }
        armed[entry.task] = nil
        return entry.task
    }
}
