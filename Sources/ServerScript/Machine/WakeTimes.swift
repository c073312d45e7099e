import DequeModule
import HTTPBasics

/// When the connections that wait go on, the earliest first.
///
/// Sorted, in a deque: most scripts wait for the same span again and again, so what comes in is the latest, and what
/// goes out the earliest.
struct WakeTimes {
    private struct Entry: Comparable {
        let at: Instant
        let peer: PeerID

        static func < (left: Entry, right: Entry) -> Bool { (left.at, left.peer) < (right.at, right.peer) }
    }

    private var entries: Deque<Entry> = []

    var first: Instant? { entries.first?.at }

    /// A connection stood for `old`, and from now on for `new`; nil is for not at all.
    mutating func move(_ peer: PeerID, from old: Instant?, to new: Instant?) {
        if let old {
            let entry = Entry(at: old, peer: peer)
            let index = entries.sortedPosition(of: entry)
            if index < entries.count, entries[index] == entry { entries.remove(at: index) }
        }
        if let new {
            let entry = Entry(at: new, peer: peer)
            entries.insert(entry, at: entries.sortedPosition(of: entry))
        }
    }

    /// Those whose time has come, in the order of acceptance.
    func due(at now: Instant) -> [PeerID] { entries.prefix { $0.at <= now }.map(\.peer).sorted() }
}
