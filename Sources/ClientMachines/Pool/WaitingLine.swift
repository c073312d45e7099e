import DequeModule

/// Who waits for a connection to one origin, first come first served; whoever leaves costs the same wherever he stands.
///
/// A place that was left is passed over when its turn comes, or swept when such places outnumber the others: there are
/// never more than twice as many as wait, and a few.
struct WaitingLine<ID: Hashable> {
    struct Waiter {
        let task: ID
        let need: ConnectionNeed
        /// A task that leaves and comes again has another one.
        fileprivate let number: Int
    }

    private var places: Deque<Waiter> = []
    private var numbers: [ID: Int] = [:]
    private var lastNumber = 0

    var isEmpty: Bool { numbers.isEmpty }

    /// Places held, for tests of the bound.
    var count: Int { places.count }

    mutating func append(_ task: ID, _ need: ConnectionNeed) {
        lastNumber += 1
        numbers[task] = lastNumber
        places.append(Waiter(task: task, need: need, number: lastNumber))
    }

    mutating func remove(_ task: ID) {
        guard numbers.removeValue(forKey: task) != nil else { return }
        guard places.count > 64, places.count > 2 * numbers.count else { return }
        places.removeAll { numbers[$0.task] != $0.number }
    }

    /// Whose turn it is.
    var first: Waiter? {
        mutating get {
            while let place = places.first, numbers[place.task] != place.number { places.removeFirst() }
            return places.first
        }
    }

    mutating func removeFirst() {
        guard let waiter = first else { return }
        places.removeFirst()
        numbers[waiter.task] = nil
    }
}
