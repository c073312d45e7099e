import DequeModule
import HTTPBasics

/// Decides which connection carries which task: keep-alive, a limit per origin, first come first served.
///
/// Pure bookkeeping: it opens and closes nothing, it says what its client machine must do.
package struct ConnectionPool {
    package enum Grant: Equatable, Sendable {
        /// A connection with room, of several the one that was heard last: the most likely to be alive
        /// (BEHAVIOUR 2.F4-last).
        case use(ConnectionID, by: TaskID)
        /// The same, if it turns out to be alive.
        case look(ConnectionID, for: TaskID)
        /// Begin this dial, whose connection is for the first in line; close an unused one for it if one is named.
        case dial(DialID, ConnectionRoute, inPlaceOf: ConnectionID? = nil)
        case wait
    }

    /// How long connections may have been silent.
    package struct Patience: Equatable, Sendable {
        /// So long they are kept.
        package var idle: Duration = .seconds(60)
        /// Up to here one is taken to be alive without a look.
        package var unseen: Duration = .milliseconds(100)
        /// Up to here one that no server has promised to keep serves requests that may not be sent twice. Servers that
        /// do not say after how many seconds they close mostly do so after five or more (BEHAVIOUR 1.E1-young).
        package var young: Duration = .seconds(4)

        package init(idle: Duration = .seconds(60)) { self.idle = idle }

        /// How long one is kept by its server's own account, with a margin: a request that sets out at the last moment
        /// arrives after it (BEHAVIOUR 2.F5-hint).
        func kept(by hint: Duration) -> Duration { min(hint - min(hint / 2, .seconds(1)), idle) }
    }

    private let limit: Int
    private let mostIdle: Int
    private let patience: Patience
    private var queues: [ConnectionRoute: RouteQueue] = [:]
    private var origins: [Origin: OriginPlaces] = [:]
    /// Where places came free that no task was offered yet.
    private var freed: Deque<RouteQueue> = []
    /// When idle connections run out.
    private var expiries = DeadlineQueue<ConnectionID>()
    private var lastDial = 0

    /// - Parameter mostIdle: How many unused connections are kept, of all hosts.
    package init(limit: Int, mostIdle: Int = .max, patience: Patience) {
        self.limit = max(1, limit)
        self.mostIdle = mostIdle
        self.patience = patience
    }

    /// Routes that something is known of, for tests of the bound.
    package var routeCount: Int { queues.count }

    /// A task wants a connection; if none suits it, it stands in line from now on.
    package mutating func request(
        _ task: TaskID, _ route: ConnectionRoute, _ need: ConnectionNeed, at now: Instant
    ) -> Grant {
        let queue = queue(of: route)
        if let grant = take(from: queue, need, for: task, at: now) { return grant }
        let grant = queue.hasDialForNext ? .wait : dial(route, queue, need)
        queue.join(task, need, hasDial: grant != .wait)
        return grant
    }

    private mutating func queue(of route: ConnectionRoute) -> RouteQueue {
        if let queue = queues[route] { return queue }
        let places = origins[route.origin] ?? OriginPlaces()
        origins[route.origin] = places
        let queue = RouteQueue(route, places)
        places.join(queue)
        queues[route] = queue
        return queue
    }

    private mutating func forget(_ queue: RouteQueue) {
        queue.places.leave(queue)
        if queue.places.queues.isEmpty { origins[queue.route.origin] = nil }
        queues[queue.route] = nil
    }

    private mutating func take(
        from queue: RouteQueue, _ need: ConnectionNeed, for task: TaskID, at now: Instant
    ) -> Grant? {
        guard let free = queue.take(need, patience, at: now) else { return nil }
        guard free.isIdle else { return .use(free.connection, by: task) }
        expiries.remove(free.connection)
        let isSure = need == .any || now - free.silentSince <= patience.unseen
        return isSure ? .use(free.connection, by: task) : .look(free.connection, for: task)
    }

    private mutating func dial(_ route: ConnectionRoute, _ queue: RouteQueue, _ need: ConnectionNeed) -> Grant {
        var closing: ConnectionID?
        if queue.places.open < limit {
            queue.takePlace()
        } else if need != .any, let idle = queue.takeIdle() {
            expiries.remove(idle)
            closing = idle
        } else if let idle = takeIdle(besides: queue) {
            queue.takePlace()
            closing = idle
        } else {
            return .wait
        }
        queue.places.dialled(queue)
        lastDial += 1
        queue.begin(DialID(lastDial))
        return .dial(DialID(lastDial), route, inPlaceOf: closing)
    }

    /// An unused connection of another route to the same origin makes room.
    private mutating func takeIdle(besides queue: RouteQueue) -> ConnectionID? {
        guard queue.places.idle > 0, queue.places.areShared else { return nil }
        for other in queue.places.queues where other !== queue {
            guard let idle = other.takeIdle() else { continue }
            expiries.remove(idle)
            other.leavePlace()
            // If it has nothing left it is forgotten when its turn comes.
            noteTurn(of: other)
            return idle
        }
        return nil
    }

    /// The task leaves the line.
    ///
    /// - Returns: Whether there is a dial too many now; the caller ends one.
    package mutating func withdraw(_ task: TaskID, _ route: ConnectionRoute) -> Bool {
        guard let queue = queues[route], queue.waiting.remove(task) else { return false }
        // Those behind it may come within reach of a connection that did not suit it.
        if !queue.free.isEmpty || queue.waiting.isEmpty { noteFreed(queue) }
        return queue.hasDialForNext
    }

    /// A dial has become a connection.
    ///
    /// - Returns: The task that takes it, the first in line.
    package mutating func opened(_ dial: DialID, _ route: ConnectionRoute) -> TaskID? {
        queues[route]?.end(dial)
        return queues[route]?.waiting.popFirst()?.task
    }

    /// A dial came to nothing.
    ///
    /// - Returns: The task that fails with it: the first in line, unless there is a dial for each task all the same.
    package mutating func failed(_ dial: DialID, _ route: ConnectionRoute) -> TaskID? {
        ended(dial, route)
        guard let queue = queues[route], queue.needsDial else { return nil }
        return queue.waiting.popFirst()?.task
    }

    /// A dial was given up.
    package mutating func ended(_ dial: DialID, _ route: ConnectionRoute) {
        queues[route]?.end(dial)
        freePlace(route)
    }

    /// The dial that a task in line waits for, as things are.
    package func dial(for task: TaskID, _ route: ConnectionRoute) -> DialID? {
        queues[route]?.pairs().first { $1.task == task }?.0
    }

    /// The task that waits for a dial, as things are.
    package func task(waitingFor dial: DialID, _ route: ConnectionRoute) -> TaskID? {
        queues[route]?.pairs().first { $0.0 == dial }?.1.task
    }

    package func dials(of route: ConnectionRoute) -> [DialID] { queues[route]?.dials ?? [] }

    /// A connection has room for an exchange. `heard` grows with each arrival on any of them: a connection that
    /// waited for its user's answer comes back later than one that was heard after it.
    ///
    /// - Parameters:
    ///   - isIdle: whether it carries none.
    ///   - last: when it was heard last, from where its server counts.
    ///   - hint: how long its server says that it keeps it.
    /// - Returns: False if that time is over: the caller closes it.
    package mutating func offer(
        _ connection: ConnectionID, _ route: ConnectionRoute, isIdle: Bool = true, heard: Int, last: Instant,
        at now: Instant, hint: Duration? = nil
    ) -> Bool {
        let expiry = last + (hint.map(patience.kept) ?? patience.idle)
        guard expiry > now || !isIdle else { return false }
        let free = RouteQueue.Free(
            connection: connection, heard: heard, silentSince: last, isPromised: hint != nil, isIdle: isIdle)
        let queue = queue(of: route)
        if queue.keep(free) || queue.places.areShared { noteFreed(queue) }
        if isIdle { expiries.update(connection, expiry) }
        return true
    }

    /// A connection that carries an exchange, or is between two of one task, serves another route from now on.
    package mutating func moved(_ connection: ConnectionID, from former: ConnectionRoute, to route: ConnectionRoute) {
        queues[former]?.lose(connection)
        let queue = queue(of: route)
        queue.takePlace()
        freePlace(former)
    }

    /// A connection takes no more exchanges.
    package mutating func retired(_ connection: ConnectionID, _ route: ConnectionRoute) {
        queues[route]?.lose(connection)
    }

    /// A connection is gone, used or unused.
    package mutating func closed(_ connection: ConnectionID, _ route: ConnectionRoute) {
        queues[route]?.lose(connection)
        expiries.remove(connection)
        freePlace(route)
    }

    private mutating func freePlace(_ route: ConnectionRoute) {
        guard let queue = queues[route] else { return }
        queue.leavePlace()
        noteFreed(queue)
    }

    /// A place may go to another route to the same origin: before this one to one that has none, behind it to one that
    /// wants one more; of several to the one whose last dial is the longest ago.
    private mutating func noteFreed(_ queue: RouteQueue) {
        guard queue.places.areShared else { return noteTurn(of: queue) }
        let others = queue.places.queues
        if let other = others.first(where: { $0 !== queue && $0.isCrowdedOut && !$0.isFreed }) { noteTurn(of: other) }
        noteTurn(of: queue)
        if let other = others.first(where: { $0.needsDial && !$0.isFreed }) { noteTurn(of: other) }
    }

    /// Once, however many places came free there: a turn looks at all of them.
    private mutating func noteTurn(of queue: RouteQueue) {
        if !queue.isFreed { freed.append(queue) }
        queue.isFreed = true
    }

    /// Whether a task waits where a place came free. Places that no task waits for are forgotten on the way: each is
    /// looked at once, however often this is asked.
    package mutating func hasNextTurn() -> Bool {
        while let queue = freed.first {
            if !queue.waiting.isEmpty { return true }
            turnEnded(of: queue)
            if queue.open == 0 { forget(queue) }
        }
        return false
    }

    /// The first route that places came free for takes none: another one to the same origin may.
    private mutating func turnEnded(of queue: RouteQueue) {
        queue.isFreed = false
        freed.removeFirst()
        guard queue.places.areShared, queue.places.open < limit || queue.places.idle > 0 else { return }
        if let other = queue.places.queues.first(where: { $0.needsDial && !$0.isFreed }) { noteTurn(of: other) }
    }

    /// What comes next, now that places came free. To be asked when a client's input has had all its consequences: a
    /// task that leaves a connection and wants another one at once keeps its place before those that wait.
    package mutating func nextTurn(at now: Instant) -> Grant? {
        while hasNextTurn(), let queue = freed.first {
            if let grant = nextGrant(of: queue, at: now) { return grant }
            turnEnded(of: queue)
        }
        return nil
    }

    /// For the first in line whom a connection suits, as long as those before it have dials on their way; else a dial
    /// for the first that has none, where one may begin. That one is overtaken by none: it might wait for ever.
    private mutating func nextGrant(of queue: RouteQueue, at now: Instant) -> Grant? {
        let next = queue.nextInLine()
        for waiter in next {
            guard let grant = take(from: queue, waiter.need, for: waiter.task, at: now) else { continue }
            queue.waiting.remove(waiter.task)
            return grant
        }
        guard let last = next.last, queue.needsDial else { return nil }
        let grant = dial(queue.route, queue, last.need)
        return grant == .wait ? nil : grant
    }

    /// When the next idle connection has been kept long enough.
    package var deadline: Instant? {
        mutating get { expiries.first }
    }

    /// An unused connection too many: of all but the one that was used last, the one whose time is up first. The caller
    /// closes it.
    package mutating func surplus(besides last: ConnectionID) -> ConnectionID? {
        guard expiries.owners > mostIdle, let first = expiries.first else { return nil }
        let found = expiries.popDue(at: first)
        guard found == last else { return found }
        defer { expiries.update(last, first) }
        return expiries.first.flatMap { expiries.popDue(at: $0) }
    }

    /// Idle connections whose time is up; the caller closes them.
    package mutating func expired(at now: Instant) -> [ConnectionID] {
        var found: [ConnectionID] = []
        while let connection = expiries.popDue(at: now) { found.append(connection) }
        return found
    }
}
