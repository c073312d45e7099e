import DequeModule

/// The tasks that wait for a connection of one route, first come first served. To leave costs the same at any place.
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
    var count: Int { numbers.count }

    /// Places held, for tests of the bound.
    var placeCount: Int { places.count }

    /// - Parameter index: Among those that wait; `count` is behind them all.
    mutating func insert(_ task: ID, _ need: ConnectionNeed, at index: Int) {
        lastNumber += 1
        let place = Waiter(task: task, need: need, number: lastNumber)
        places.insert(place, at: index < count ? position(of: index) : places.endIndex)
        numbers[task] = lastNumber
    }

    private func position(of index: Int) -> Int {
        var left = index
        return places.firstIndex { place in
            guard isTaken(place) else { return false }
            left -= 1
            return left < 0
        } ?? places.endIndex
    }

    private func isTaken(_ place: Waiter) -> Bool { numbers[place.task] == place.number }

    /// - Returns: Whether it stood there.
    @discardableResult
    mutating func remove(_ task: ID) -> Bool {
        guard numbers.removeValue(forKey: task) != nil else { return false }
        sweep()
        return true
    }

    private mutating func sweep() {
        guard places.count > 64, places.count > 2 * numbers.count else { return }
        places.removeAll { numbers[$0.task] != $0.number }
    }

    /// The first ones, at most so many.
    mutating func first(_ most: Int) -> [Waiter] {
        while let place = places.first, !isTaken(place) { places.removeFirst() }
        var found: [Waiter] = []
        for place in places {
            if found.count == most { break }
            if isTaken(place) { found.append(place) }
        }
        return found
    }

    mutating func popFirst() -> Waiter? {
        while let place = places.popFirst() {
            guard isTaken(place) else { continue }
            numbers[place.task] = nil
            sweep()
            return place
        }
        return nil
    }
}
