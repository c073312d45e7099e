import DequeModule
import HTTPBasics

/// Decides which connection carries which task: keep-alive, a limit per origin, first come first served.
///
/// Pure bookkeeping: it opens and closes nothing, it says what its client machine must do.
package struct ConnectionPool {
    package enum Grant: Equatable, Sendable {
        /// An idle connection, the one that was heard last: the most likely to be alive (BEHAVIOUR 2.F4-last).
        case reuse(ConnectionID)
        /// The same, if it turns out to be alive.
        case look(ConnectionID)
        case dial
        /// Close this idle connection and dial in its place.
        case replace(ConnectionID)
        case wait
    }

    /// What a freed place is good for.
    package struct Turn: Equatable, Sendable {
        package let task: TaskID
        package let origin: Origin
        package let grant: Grant
    }

    /// How long connections may have been silent.
    package struct Patience: Equatable, Sendable {
        /// So long they are kept.
        package var idle: Duration = .seconds(60)
        /// Up to here nobody looks whether one is still alive.
        package var unseen: Duration = .milliseconds(100)
        /// Up to here one that no server has promised to keep serves requests that may not be sent twice. Servers that
        /// do not say after how many seconds they close mostly do so after five or more (BEHAVIOUR 1.E1-young).
        package var young: Duration = .seconds(4)

        package init(idle: Duration = .seconds(60)) { self.idle = idle }

        /// How long one is kept by its server's own account, with a margin: a request that sets out at the last moment
        /// arrives after it (BEHAVIOUR 2.F5-hint).
        func kept(by hint: Duration) -> Duration { min(hint - min(hint / 2, .seconds(1)), idle) }
    }

    private struct Idle {
        let connection: ConnectionID
        let heard: Int
        let silentSince: Instant
        /// Its server has said how long it keeps it, and the time is not over.
        let isPromised: Bool
    }

    private struct Host {
        var open = 0
        /// In the order in which they were heard last.
        var idle: [Idle] = []
        var waiting = WaitingLine<TaskID>()

        mutating func grant(_ need: ConnectionNeed, limit: Int, _ patience: Patience, at now: Instant) -> Grant {
            if let grant = takeIdle(need, patience, at: now) { return grant }
            if open < limit {
                open += 1
                return .dial
            }
            guard need != .any, !idle.isEmpty else { return .wait }
            return .replace(idle.removeFirst().connection)
        }

        private mutating func takeIdle(_ need: ConnectionNeed, _ patience: Patience, at now: Instant) -> Grant? {
            guard let last = idle.last else { return nil }
            let silence = now - last.silentSince
            switch need {
            case .fresh: return nil
            case .young where !last.isPromised && silence > patience.young: return nil
            case .any, .young: idle.removeLast()
            }
            return need == .any || silence <= patience.unseen ? .reuse(last.connection) : .look(last.connection)
        }

        mutating func lose(_ connection: ConnectionID) { idle.removeAll { $0.connection == connection } }

        /// - Returns: Whether somebody waits for it.
        mutating func keep(_ free: Idle) -> Bool {
            let before = idle.lastIndex { $0.heard <= free.heard }
            idle.insert(free, at: before.map { $0 + 1 } ?? 0)
            return !waiting.isEmpty
        }
    }

    private let limit: Int
    private let mostIdle: Int
    private let patience: Patience
    private var hosts: [Origin: Host] = [:]
    /// Where places came free that nobody has been offered yet.
    private var freed: Deque<Origin> = []
    /// When idle connections run out.
    private var expiries = DeadlineQueue<ConnectionID>()

    /// - Parameter mostIdle: How many unused connections are kept, of all hosts.
    package init(limit: Int, mostIdle: Int = .max, patience: Patience) {
        self.limit = max(1, limit)
        self.mostIdle = mostIdle
        self.patience = patience
    }

    /// Hosts that something is known of, for tests of the bound.
    package var hostCount: Int { hosts.count }

    /// A task wants a connection.
    package mutating func request(_ task: TaskID, origin: Origin, _ need: ConnectionNeed, at now: Instant) -> Grant {
        let grant = grant(origin, need, at: now)
        if grant == .wait { hosts[origin, default: Host()].waiting.append(task, need) }
        return grant
    }

    private mutating func grant(_ origin: Origin, _ need: ConnectionNeed, at now: Instant) -> Grant {
        let grant = hosts[origin, default: Host()].grant(need, limit: limit, patience, at: now)
        switch grant {
        case .reuse(let connection), .look(let connection), .replace(let connection): expiries.remove(connection)
        case .dial, .wait: break
        }
        return grant
    }

    /// The task no longer waits in the queue.
    package mutating func withdraw(_ task: TaskID, origin: Origin) {
        hosts[origin]?.waiting.remove(task)
    }

    /// A connection is free and may be used again. `heard` grows with each arrival on any of them: a connection that
    /// waited for its user's answer comes back later than one that was heard after it.
    ///
    /// - Parameters:
    ///   - last: when it was heard last, from where its server counts.
    ///   - hint: how long its server says that it keeps it.
    /// - Returns: False if that time is over: the caller closes it.
    package mutating func released(
        _ connection: ConnectionID, origin: Origin, heard: Int, last: Instant, at now: Instant, hint: Duration? = nil
    ) -> Bool {
        let expiry = last + (hint.map(patience.kept) ?? patience.idle)
        guard expiry > now else { return false }
        let free = Idle(connection: connection, heard: heard, silentSince: last, isPromised: hint != nil)
        if hosts[origin, default: Host()].keep(free) { freed.append(origin) }
        expiries.update(connection, expiry)
        return true
    }

    /// A connection is gone, whatever it was doing.
    package mutating func closed(_ connection: ConnectionID, origin: Origin) {
        hosts[origin]?.lose(connection)
        expiries.remove(connection)
        freePlace(origin: origin)
    }

    /// A dial came to nothing.
    package mutating func dialFailed(origin: Origin) { freePlace(origin: origin) }

    private mutating func freePlace(origin: Origin) {
        guard hosts[origin] != nil else { return }
        hosts[origin, default: Host()].open -= 1
        freed.append(origin)
    }

    /// Whether somebody waits where a place came free. Places that nobody waits for are forgotten on the way: each is
    /// looked at once, however often this is asked.
    package mutating func hasNextTurn() -> Bool {
        while let origin = freed.first {
            // Mostly nobody waits, and access for writing takes three frames from the heap.
            if let host = hosts[origin] {
                if !host.waiting.isEmpty { return true }
                if host.open == 0 { hosts[origin] = nil }
            }
            freed.removeFirst()
        }
        return false
    }

    /// Who comes next, now that places came free. To be asked when a client's input has had all its consequences: a
    /// task that leaves a connection and wants another one at once keeps its place before those that wait.
    package mutating func nextTurn(at now: Instant) -> Turn? {
        while hasNextTurn(), let origin = freed.popFirst(), let next = hosts[origin]?.waiting.first {
            let grant = grant(origin, next.need, at: now)
            guard grant != .wait else { continue }
            hosts[origin]?.waiting.removeFirst()
            return Turn(task: next.task, origin: origin, grant: grant)
        }
        return nil
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
