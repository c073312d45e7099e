import HTTPBasics

/// The connections and dials of one route, and the tasks that wait for them.
///
/// A dial is the route's and not a task's: the connection that is there first is the first task's, whether it was
/// dialled for it or came free (BEHAVIOUR 2.F1-line).
///
/// A class, so that the pool changes it in place: access to a value in a dictionary takes three frames from the heap.
final class RouteQueue {
    /// A connection with room for an exchange.
    struct Free {
        let connection: ConnectionID
        /// Grows with each arrival on any connection.
        let heard: Int
        let silentSince: Instant
        /// Its server has said how long it keeps it, and the time is not over.
        let isPromised: Bool
        /// It carries no exchange.
        let isIdle: Bool
    }

    let route: ConnectionRoute
    /// Shared with the other routes to the same origin; the pool has them as long as one of these is known.
    unowned let places: OriginPlaces
    /// Connections and dials.
    private(set) var open = 0
    /// In the order in which they were heard last.
    private(set) var free: [Free] = []
    /// In the order in which they began.
    private(set) var dials: [DialID] = []
    /// A place came free here, and no turn was taken since.
    var isFreed = false
    var waiting = WaitingLine<TaskID>()

    init(_ route: ConnectionRoute, _ places: OriginPlaces) {
        self.route = route
        self.places = places
    }

    func takePlace() {
        open += 1
        places.open += 1
    }

    func leavePlace() {
        open -= 1
        places.open -= 1
    }

    /// Tasks wait, and all places are taken by other routes to the same origin.
    var isCrowdedOut: Bool { open == 0 && !waiting.isEmpty }

    /// More tasks wait than dials are on their way.
    var needsDial: Bool { waiting.count > dials.count }

    /// A dial is on its way that no task waits for.
    var hasDialForNext: Bool { waiting.count < dials.count }

    /// - Parameter hasDial: A dial has begun for the task: it stands before those that wait for a place.
    func join(_ task: TaskID, _ need: ConnectionNeed, hasDial: Bool) {
        waiting.insert(task, need, at: hasDial ? dials.count - 1 : waiting.count)
    }

    /// Those for whom a dial is on its way, and the one behind them.
    func nextInLine() -> [WaitingLine<TaskID>.Waiter] { waiting.first(dials.count + 1) }

    /// Which task waits for which dial, as things are: the oldest is the first one's.
    func pairs() -> Zip2Sequence<[DialID], [WaitingLine<TaskID>.Waiter]> { zip(dials, waiting.first(dials.count)) }

    func begin(_ dial: DialID) { dials.append(dial) }

    func end(_ dial: DialID) { dials.removeAll { $0 == dial } }

    /// The connection that suits the need.
    func take(_ need: ConnectionNeed, _ patience: ConnectionPool.Patience, at now: Instant) -> Free? {
        guard let last = free.last else { return nil }
        switch need {
        case .fresh: return nil
        case .young where last.isIdle && !last.isPromised && now - last.silentSince > patience.young: return nil
        case .any, .young: return remove(at: free.endIndex - 1)
        }
    }

    /// An unused one, to make room.
    func takeIdle() -> ConnectionID? {
        free.firstIndex { $0.isIdle }.map { remove(at: $0).connection }
    }

    private func remove(at index: Int) -> Free {
        let removed = free.remove(at: index)
        if removed.isIdle { places.idle -= 1 }
        return removed
    }

    /// - Returns: Whether a task waits for it.
    func keep(_ new: Free) -> Bool {
        lose(new.connection)
        let before = free.lastIndex { $0.heard <= new.heard }
        free.insert(new, at: before.map { $0 + 1 } ?? 0)
        if new.isIdle { places.idle += 1 }
        return !waiting.isEmpty
    }

    func lose(_ connection: ConnectionID) {
        if let index = free.firstIndex(where: { $0.connection == connection }) { _ = remove(at: index) }
    }
}
