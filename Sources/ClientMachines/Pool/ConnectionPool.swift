import DequeModule
import HTTPBasics

/// Decides which connection carries which task: keep-alive, a limit per origin, first come first served.
///
/// Pure bookkeeping: it opens and closes nothing, it says what its client machine must do.
package struct ConnectionPool {
    package enum Grant: Equatable, Sendable {
        /// An idle connection, the one that was heard last: the most likely to be alive (BEHAVIOUR 2.F4-last).
        case reuse(ConnectionID)
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

    private struct Idle {
        let connection: ConnectionID
        let heard: Int
    }

    private struct Host {
        var open = 0
        /// In the order in which they were heard last.
        var idle: [Idle] = []
        var waiting: Deque<Waiter> = []

        mutating func grant(fresh: Bool, limit: Int) -> Grant {
            if !fresh, let last = idle.popLast() { return .reuse(last.connection) }
            if open < limit {
                open += 1
                return .dial
            }
            guard fresh, !idle.isEmpty else { return .wait }
            return .replace(idle.removeFirst().connection)
        }

        mutating func keep(_ free: Idle) {
            let before = idle.lastIndex { $0.heard <= free.heard }
            idle.insert(free, at: before.map { $0 + 1 } ?? 0)
        }
    }

    private struct Waiter {
        let task: TaskID
        let fresh: Bool
    }

    private let limit: Int
    private let idleTimeout: Duration
    private var hosts: [Origin: Host] = [:]
    /// Where places came free that nobody has been offered yet.
    private var freed: Deque<Origin> = []
    /// When idle connections run out.
    private var expiries = DeadlineQueue<ConnectionID>()

    package init(limit: Int, idleTimeout: Duration) {
        self.limit = max(1, limit)
        self.idleTimeout = idleTimeout
    }

    /// A task wants a connection. `fresh` refuses used ones: its former one had gone stale.
    package mutating func request(_ task: TaskID, origin: Origin, fresh: Bool) -> Grant {
        let grant = grant(origin, fresh: fresh)
        if grant == .wait { hosts[origin, default: Host()].waiting.append(Waiter(task: task, fresh: fresh)) }
        return grant
    }

    private mutating func grant(_ origin: Origin, fresh: Bool) -> Grant {
        let grant = hosts[origin, default: Host()].grant(fresh: fresh, limit: limit)
        switch grant {
        case .reuse(let connection), .replace(let connection): expiries.remove(connection)
        case .dial, .wait: break
        }
        return grant
    }

    /// The task no longer waits in the queue.
    package mutating func withdraw(_ task: TaskID, origin: Origin) {
        hosts[origin]?.waiting.removeAll { $0.task == task }
    }

    /// A connection is free and may be used again. `heard` grows with each arrival on any of them: a connection that
    /// waited for its user's answer comes back later than one that was heard after it. `hint` is how long its server
    /// says that it keeps it.
    package mutating func released(
        _ connection: ConnectionID, origin: Origin, heard: Int, at now: Instant, hint: Duration? = nil
    ) {
        hosts[origin, default: Host()].keep(Idle(connection: connection, heard: heard))
        expiries.update(connection, now + min(hint ?? idleTimeout, idleTimeout))
        freed.append(origin)
    }

    /// A connection is gone, whatever it was doing.
    package mutating func closed(_ connection: ConnectionID, origin: Origin) {
        hosts[origin]?.idle.removeAll { $0.connection == connection }
        expiries.remove(connection)
        dialFailed(origin: origin)
    }

    /// A dial came to nothing: its place is free.
    package mutating func dialFailed(origin: Origin) {
        guard var host = hosts[origin] else { return }
        host.open -= 1
        hosts[origin] = host.open == 0 && host.waiting.isEmpty ? nil : host
        freed.append(origin)
    }

    /// Who comes next, now that places came free. To be asked when a client's input has had all its consequences: a
    /// task that leaves a connection and wants another one at once keeps its place before those that wait.
    package mutating func nextTurn() -> Turn? {
        while let origin = freed.popFirst() {
            guard let next = hosts[origin]?.waiting.first else { continue }
            let grant = grant(origin, fresh: next.fresh)
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

    /// Idle connections whose time is up; the caller closes them.
    package mutating func expired(at now: Instant) -> [ConnectionID] {
        var found: [ConnectionID] = []
        while let connection = expiries.popDue(at: now) { found.append(connection) }
        return found
    }
}
