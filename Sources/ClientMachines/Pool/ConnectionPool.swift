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
        case wait
    }

    /// What a freed place is good for.
    package struct Turn: Equatable, Sendable {
        package let task: TaskID
        package let origin: Origin
        package let grant: Grant
    }

    private struct Host {
        var open = 0
        var idle: [ConnectionID] = []
        var waiting: Deque<TaskID> = []
    }

    private let limit: Int
    private let idleTimeout: Duration
    private var hosts: [Origin: Host] = [:]
    /// Where places came free that nobody has been offered yet.
    private var freed: Deque<Origin> = []
    /// Idle connections by the time they run out; entries of connections that are busy again are skipped.
    private var expiries: Deque<(connection: ConnectionID, at: Instant)> = []
    private var idleUntil: [ConnectionID: Instant] = [:]

    package init(limit: Int, idleTimeout: Duration) {
        self.limit = max(1, limit)
        self.idleTimeout = idleTimeout
    }

    /// A task wants a connection. `fresh` refuses used ones: its former one had gone stale, and left it a place.
    package mutating func request(_ task: TaskID, origin: Origin, fresh: Bool) -> Grant {
        let grant = grant(origin, fresh: fresh)
        if grant == .wait { hosts[origin, default: Host()].waiting.append(task) }
        return grant
    }

    private mutating func grant(_ origin: Origin, fresh: Bool = false) -> Grant {
        var host = hosts[origin] ?? Host()
        defer { hosts[origin] = host }
        if !fresh, let connection = host.idle.popLast() {
            idleUntil[connection] = nil
            return .reuse(connection)
        }
        guard host.open < limit else { return .wait }
        host.open += 1
        return .dial
    }

    /// The task no longer waits in the queue.
    package mutating func withdraw(_ task: TaskID, origin: Origin) {
        hosts[origin]?.waiting.removeAll { $0 == task }
    }

    /// Nobody waits any more: the whole session ends.
    package mutating func withdrawAll() {
        for origin in hosts.keys { hosts[origin]?.waiting.removeAll() }
    }

    /// A connection is free and may be used again.
    package mutating func released(_ connection: ConnectionID, origin: Origin, at now: Instant) {
        hosts[origin, default: Host()].idle.append(connection)
        idleUntil[connection] = now + idleTimeout
        expiries.append((connection, now + idleTimeout))
        freed.append(origin)
    }

    /// A connection is gone, whatever it was doing.
    package mutating func closed(_ connection: ConnectionID, origin: Origin) {
        guard var host = hosts[origin] else { return }
        host.open -= 1
        host.idle.removeAll { $0 == connection }
        idleUntil[connection] = nil
        hosts[origin] = host.open == 0 && host.waiting.isEmpty ? nil : host
        freed.append(origin)
    }

    /// Who comes next, now that places came free. To be asked when a client's input has had all its consequences: a
    /// task that leaves a connection and wants another one at once keeps its place before those that wait.
    package mutating func nextTurn() -> Turn? {
        while let origin = freed.popFirst() {
            guard let task = hosts[origin]?.waiting.first else { continue }
            let grant = grant(origin)
            guard grant != .wait else { continue }
            hosts[origin]?.waiting.removeFirst()
            return Turn(task: task, origin: origin, grant: grant)
        }
        return nil
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
