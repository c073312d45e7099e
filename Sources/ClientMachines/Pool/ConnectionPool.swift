import DequeModule
import HTTPBasics

/// Decides which connection carries which task: keep-alive, a limit per origin, first come first served.
///
/// Pure bookkeeping: it opens and closes nothing, it says what its client machine must do.
package struct ConnectionPool {
    package enum Grant: Equatable, Sendable {
        /// An idle connection, last used first: the most likely to be alive.
        case reuse(ConnectionID)
        case dial
        /// Close this idle one to make room, and dial.
        case replace(ConnectionID)
        case wait
    }

    /// What a freed place is good for.
    package struct Turn: Equatable, Sendable {
        package let task: TaskID
        package let grant: Grant
    }

    private struct Host {
        var open = 0
        var idle: [ConnectionID] = []
        var waiting: Deque<(task: TaskID, fresh: Bool)> = []
    }

    private let limit: Int
    private let idleTimeout: Duration
    private var hosts: [Origin: Host] = [:]
    /// Idle connections by the time they run out; entries of connections that are busy again are skipped.
    private var expiries: Deque<(connection: ConnectionID, at: Instant)> = []
    private var idleUntil: [ConnectionID: Instant] = [:]

    package init(limit: Int, idleTimeout: Duration) {
        self.limit = max(1, limit)
        self.idleTimeout = idleTimeout
    }

    /// A task wants a connection. `fresh` refuses used ones: its former one had gone stale.
    package mutating func request(_ task: TaskID, origin: Origin, fresh: Bool) -> Grant {
        let grant = grant(origin, fresh: fresh)
        if grant == .wait { hosts[origin, default: Host()].waiting.append((task, fresh)) }
        return grant
    }

    private mutating func grant(_ origin: Origin, fresh: Bool) -> Grant {
        var host = hosts[origin] ?? Host()
        defer { hosts[origin] = host }
        if !fresh, let connection = host.idle.popLast() {
            idleUntil[connection] = nil
            return .reuse(connection)
        }
        if host.open < limit {
            host.open += 1
            return .dial
        }
        guard fresh, !host.idle.isEmpty else { return .wait }
        let oldest = host.idle.removeFirst()
        idleUntil[oldest] = nil
        return .replace(oldest)
    }

    /// The task no longer waits in the queue.
    package mutating func withdraw(_ task: TaskID, origin: Origin) {
        hosts[origin]?.waiting.removeAll { $0.task == task }
    }

    /// Nobody waits any more: the whole session ends.
    package mutating func withdrawAll() {
        for origin in hosts.keys { hosts[origin]?.waiting.removeAll() }
    }

    /// A connection is free and may be used again; it waits for a task, or a task was waiting for it.
    package mutating func released(_ connection: ConnectionID, origin: Origin, at now: Instant) -> Turn? {
        hosts[origin, default: Host()].idle.append(connection)
        idleUntil[connection] = now + idleTimeout
        expiries.append((connection, now + idleTimeout))
        return nextTurn(origin)
    }

    /// A connection is gone, whatever it was doing.
    package mutating func closed(_ connection: ConnectionID, origin: Origin) -> Turn? {
        guard var host = hosts[origin] else { return nil }
        host.open -= 1
        host.idle.removeAll { $0 == connection }
        idleUntil[connection] = nil
        hosts[origin] = host.open == 0 && host.waiting.isEmpty ? nil : host
        return nextTurn(origin)
    }

    private mutating func nextTurn(_ origin: Origin) -> Turn? {
        guard let first = hosts[origin]?.waiting.first else { return nil }
        let grant = grant(origin, fresh: first.fresh)
        guard grant != .wait else { return nil }
        hosts[origin]?.waiting.removeFirst()
        return Turn(task: first.task, grant: grant)
    }

    /// When the next idle connection has been kept long enough.
    package var deadline: Instant? {
        mutating get {
            while let first = expiries.first, idleUntil[first.connection] != first.at { expiries.removeFirst() }
            return expiries.first?.at
        }
    }

    /// Idle connections whose time is up; the caller closes them.
    package mutating func expired(at now: Instant) -> [ConnectionID] {
        var found: [ConnectionID] = []
        while let deadline, deadline <= now, let first = expiries.popFirst() {
            idleUntil[first.connection] = nil
            found.append(first.connection)
        }
        return found
    }
}
