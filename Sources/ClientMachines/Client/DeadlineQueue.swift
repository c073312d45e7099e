import HTTPBasics
import HeapModule

/// The earliest deadline of many tasks, without moving an entry each time a timer restarts.
///
/// An entry may be early, never late: when it comes up, its owner is asked again. Entries of finished tasks are
/// swept when they outnumber the living, so the queue's size is bounded by the number of tasks.
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
    }

    mutating func remove(_ task: TaskID) {
        armed[task] = nil
        if heap.count > 64, heap.count > 2 * armed.count { sweep() }
    }

    private mutating func sweep() {
        let living = heap.unordered.filter { armed[$0.task] == $0.at }
        heap = Heap(living)
    }

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
