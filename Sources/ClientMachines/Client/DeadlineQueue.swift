import HTTPBasics
import HeapModule

/// The earliest deadline of many owners, tasks or connections, without moving an entry each time a timer restarts.
///
/// An entry may be early, never late: when it comes up, its owner is asked again. Entries that count no more are
/// swept when they outnumber those that do, so the queue's size is bounded by the number of owners.
struct DeadlineQueue<Owner: Hashable & Comparable> {
    private struct Entry: Comparable {
        let at: Instant
        let owner: Owner

        static func < (left: Entry, right: Entry) -> Bool { (left.at, left.owner) < (right.at, right.owner) }
    }

    private var heap = Heap<Entry>()
    private var armed: [Owner: Instant] = [:]
    /// The earliest entry, while it is known that it counts: this is asked at each event.
    private var top: Entry?

    /// The owner's deadline is now this; nil means it has none for the moment.
    mutating func update(_ owner: Owner, _ deadline: Instant?) {
        guard let deadline else { return }
        if let present = armed[owner], present <= deadline { return }
        armed[owner] = deadline
        let entry = Entry(at: deadline, owner: owner)
        heap.insert(entry)
        if let top, entry < top { self.top = entry }
        sweep()
    }

    mutating func remove(_ owner: Owner) {
        armed[owner] = nil
        if top?.owner == owner { top = nil }
    }

    /// Made anew from `armed`, because an entry may be there twice. No two entries are equal then, so that the order of
    /// the dictionary does not reach the order in which they come up.
    private mutating func sweep() {
        guard heap.count > 64, heap.count > 2 * armed.count else { return }
        heap = Heap(armed.map { Entry(at: $0.value, owner: $0.key) })
    }

    /// How many owners have a deadline.
    var owners: Int { armed.count }

    /// Entries held, for tests of the bound.
    var count: Int { heap.count }

    var first: Instant? {
        mutating get {
            if let top { return top.at }
            while let entry = heap.min, armed[entry.owner] != entry.at { heap.removeMin() }
            top = heap.min
            return top?.at
        }
    }

    /// The next owner whose entry has come up; the caller updates it again.
    mutating func popDue(at now: Instant) -> Owner? {
        guard let first, first <= now, let entry = heap.popMin() else { return nil }
        remove(entry.owner)
        return entry.owner
    }
}
