import HTTPBasics

/// How a run decides what neither the script nor the user does: who goes first, how bytes are divided, how long
/// things take.
package enum Schedule: Hashable, Sendable {
    /// First come first served, whole writes, constant latency, a delegate queue without other work.
    case plain
    /// Every decision is drawn from this seed.
    case seeded(UInt64)
    /// Plain but for these decisions: what is left of a seed's schedule when it has been made as short as it gets.
    case departing([Departure])

    /// What else is random in a run, such as faults with a probability, comes from here.
    package var seed: UInt64 {
        switch self {
        case .plain: 0
        case .seeded(let seed): seed
        case .departing(let departures):
            departures.first { $0.kind == .chance }.map { UInt64(bitPattern: Int64($0.choice)) } ?? 0
        }
    }
}

/// One decision that is not the plain one.
package struct Departure: Hashable, Sendable, CustomStringConvertible {
    /// What is decided; each has its own count, so that a decision more of one kind shifts no other.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Of the actors that have something to do, which goes: 0 is the one that has waited longest.
        case turn
        /// How many of the bytes at hand travel together: 0 is all of them.
        case length
        /// How many microseconds longer (or shorter) than usual something travels.
        case latency
        /// The same of a reset, which may so overtake the data before it.
        case reset
        /// How many microseconds the delegate queue is busy with something else.
        case busy
        /// The seed of what else is random, such as faults with a probability; decided once.
        case chance
    }

    package var kind: Kind
    /// Counted from 0 among the decisions of the kind.
    package var index: Int
    /// Which of the ways; 0, the plain one, is no departure.
    package var choice: Int

    package init(_ kind: Kind, at index: Int, takes choice: Int) {
        self.kind = kind
        self.index = index
        self.choice = choice
    }

    package var description: String { "\(kind.rawValue):\(index):\(choice)" }
}

/// The departures of a run, in the order in which they were decided.
package final class ScheduleRecord {
    package struct Entry: Hashable, Sendable {
        package var departure: Departure
        package var instant: Instant
        /// What it meant, for a reader.
        package var note: String
    }

    package private(set) var entries: [Entry] = []

    package init() {}

    func add(_ departure: Departure, at instant: Instant, _ note: String) {
        entries.append(Entry(departure: departure, instant: instant, note: note))
    }
}
