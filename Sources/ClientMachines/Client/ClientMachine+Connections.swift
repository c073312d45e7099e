import HTTPBasics
import MachineContract
import NIOCore

/// What happens to connections: reading, reuse, loss.
extension ClientMachine {
    /// A task needs a connection.
    func acquire(_ route: ConnectionRoute, _ need: ConnectionNeed, for id: TaskID, _ slot: Slot, _ turn: inout Turn) {
        slot.place = PlaceInLine(route: route, since: turn.now)
        slot.machine.log?.routed(isProxied: route.proxy != nil)
        carryOut(pool.request(id, route, need, at: turn.now), &turn)
    }

    /// One exchange of a task is over, and the next one is to go out on the same connection, which is the route's
    /// user's from now on (BEHAVIOUR 2.A32). Where that cannot be, the task gets another one.
    func keep(_ route: ConnectionRoute, _ need: ConnectionNeed, for id: TaskID, _ slot: Slot, _ turn: inout Turn) {
        if let connection = slot.detach(id) {
            let isGood = connection.codec.end(id)
            if isGood, connection.phase == .open, connection.tasks.isEmpty, !connection.isRetired {
                if connection.route != route { pool.moved(connection.id, from: connection.route, to: route) }
                (connection.route, connection.isSignedIn) = (route, false)
                return attach(connection, to: id, as: .begun, &turn)
            }
            release(connection, isGood: isGood, &turn)
        }
        acquire(route, need, for: id, slot, &turn)
    }

    private func carryOut(_ grant: ConnectionPool.Grant, _ turn: inout Turn) {
        switch grant {
        case .wait:
            break
        case .use(let connection, let task):
            guard let connection = connections[connection] else {
                return turn.outputs.append(.bug("pool gave a lost one"))
            }
            tasks[task]?.leaveLine()
            attach(connection, to: task, &turn)
        case .look(let connection, let task):
            guard let connection = connections[connection] else {
                return turn.outputs.append(.bug("pool gave a lost one"))
            }
            tasks[task]?.leaveLine()
            look(at: connection, for: task, &turn)
        case .dial(let id, let route, let connection):
            if let connection { dropConnection(connection, &turn) }
            dial(id, route, &turn)
        }
    }

    /// What has come for an unused connection may not have been told yet, and this request goes out only once
    /// (BEHAVIOUR 1.E1-young).
    private func look(at connection: Connection, for id: TaskID, _ turn: inout Turn) {
        connection.phase = .looking
        connection.tasks.append(id)
        tasks[id]?.connection = connection
        turn.outputs.append(.look(connection.id))
    }

    private func looked(_ id: ConnectionID, _ turn: inout Turn) {
        guard let connection = connections[id], connection.phase == .looking, let task = connection.tasks.popLast()
        else { return }
        connection.phase = .open
        attach(connection, to: task, &turn)
    }

    /// It has ended, or cannot be trusted any more: its task gets another one.
    func passOver(_ connection: Connection, _ turn: inout Turn) {
        let task = connection.tasks.popLast()
        close(connection.id, &turn)
        guard let task, let slot = tasks[task] else { return }
        slot.connection = nil
        acquire(connection.route, slot.machine.need, for: task, slot, &turn)
    }

    /// The same, while its task makes out what to say on it: it asks for another one when it knows.
    private func letGo(_ connection: Connection, _ turn: inout Turn) {
        for task in connection.tasks { tasks[task]?.connection = nil }
        connection.tasks = []
        close(connection.id, &turn)
    }

    /// Gives an open connection to a task.
    func attach(_ connection: Connection, to id: TaskID, as signIn: SignIn? = nil, _ turn: inout Turn) {
        guard let slot = tasks[id] else { return turn.outputs.append(.bug("connection for a finished task")) }
        connection.tasks.append(id)
        slot.connection = connection
        let isReused = connection.isUsed
        connection.isUsed = true
        offer(connection, &turn)
        slot.machine.log?.connected(
            Transaction.Carrier(
                isReused: isReused, local: connection.local, remote: connection.remote,
                isMultipath: connection.isMultipath, security: connection.security))
        step(
            id,
            .connected(
                isReused: isReused, isForwarded: connection.route.forwarder != nil,
                signIn ?? (connection.isSignedIn ? .done : .not)), &turn)
    }

    func handleNetwork(_ input: ClientInput, _ turn: inout Turn) {
        switch input {
        case .resolved(let id, let family, let addresses):
            advance(id, .resolved(family, addresses), &turn)
        case .resolveFailed(let id, let family, let detail):
            advance(id, .resolveFailed(family, detail: detail), &turn)
        case .connected(let id, let local, let isMultipath):
            handleAttempt(id, .connected(id, local: local, isMultipath: isMultipath), &turn)
        case .connectFailed(let id, let failure):
            handleAttempt(id, .connectFailed(id, failure), &turn)
        case .received(let id, let bytes): received(id, bytes, &turn)
        case .looked(let id): looked(id, &turn)
        case .inputClosed(let id): ended(id, inOrder: true, &turn)
        case .closed(let id): ended(id, inOrder: false, &turn)
        case .wrote(let id, let bytes): wrote(id, bytes, &turn)
        default: break
        }
    }

    func received(_ id: ConnectionID, _ bytes: ByteBuffer, _ turn: inout Turn) {
        guard let connection = connections[id] else { return handleAttempt(id, .received(id, bytes), &turn) }
        if connection.phase == .looking { return passOver(connection, &turn) }
        if connection.isHeld { return letGo(connection, &turn) }
        guard connection.phase == .open else { return }
        guard !connection.tasks.isEmpty else {
            // Bytes without a request: the connection cannot be trusted any more (BEHAVIOUR 2.I41).
            return close(id, &turn)
        }
        arrivals += 1
        (connection.heard, connection.heardAt) = (arrivals, turn.now)
        connection.codec.feed(bytes)
        hear(connection, &turn)
    }

    private func hear(_ connection: Connection, _ turn: inout Turn) {
        while let task = connection.codec.nextHeard() {
            arrived(for: task, isAnswer: true, &turn)
        }
    }

    private func wrote(_ id: ConnectionID, _ bytes: Int, _ turn: inout Turn) {
        guard let connection = connections[id] else { return }
        connection.codec.took(bytes)
        while let (task, sent) = connection.codec.nextSent() {
            step(task, .wrote(sent), &turn)
        }
    }

    /// The peer ended the connection, in order or not. What was received before stays good until it is pulled.
    private func ended(_ id: ConnectionID, inOrder: Bool, _ turn: inout Turn) {
        guard let connection = connections[id] else {
            // Reset before we learned that it was open, or while it was being secured.
            handleAttempt(id, inOrder ? .inputClosed(id) : .connectFailed(id, .reset), &turn)
            return
        }
        if connection.phase == .looking { return passOver(connection, &turn) }
        if connection.isHeld { return letGo(connection, &turn) }
        if inOrder, connection.tasks.isEmpty { return close(id, &turn) }
        if !inOrder {
            connection.phase = .gone
            connections[id] = nil
            pool.closed(id, connection.route)
        }
        tell(connection, inputEndedInOrder: inOrder, &turn)
    }

    /// Tells all tasks whose exchanges it carries.
    func tell(_ connection: Connection, inputEndedInOrder inOrder: Bool, _ turn: inout Turn) {
        connection.codec.inputEnded(inOrder: inOrder)
        for task in connection.tasks {
            if let slot = tasks[task] { settle(task, slot, &turn) }
        }
    }

    /// Gives the places that came free to the tasks that wait for them.
    func takeTurns(_ turn: inout Turn) {
        turnsDue = nil
        while let grant = pool.nextTurn(at: turn.now) { carryOut(grant, &turn) }
    }

    /// Pulls response events for as long as the task wants them, then holds the socket back or lets it go on.
    func pull(_ id: TaskID, _ slot: Slot, _ turn: inout Turn) {
        count(id, slot)
        while let connection = slot.connection, slot.machine.wantsEvents,
            let event = connection.codec.next(for: id)
        {
            count(id, slot)
            feed(slot, id, input(of: event, on: connection), &turn)
        }
        guard let connection = slot.connection, connection.phase == .open else { return }
        setReading(connection, slot.machine.wantsEvents || connection.isHeld || isWanted(connection), &turn)
    }

    private func isWanted(_ connection: Connection) -> Bool {
        connection.tasks.count > 1 && connection.tasks.contains { tasks[$0]?.machine.wantsEvents ?? false }
    }

    /// How much a connection is sure to bring besides what was received; 0 when that is not known.
    package func bytesDue(on id: ConnectionID) -> Int { connections[id]?.codec.bytesDue ?? 0 }

    private func count(_ id: TaskID, _ slot: Slot) {
        guard let log = slot.machine.log, let (head, body) = slot.connection?.codec.received(by: id) else { return }
        log.received(head: head, body: body)
    }

    private func setReading(_ connection: Connection, _ isReading: Bool, _ turn: inout Turn) {
        guard connection.isReading != isReading else { return }
        connection.isReading = isReading
        turn.outputs.append(.setReading(connection.id, isReading))
    }

    /// One of its exchanges is over.
    ///
    /// - Parameter isGood: Whether it may carry more.
    func release(_ connection: Connection, isGood: Bool, _ turn: inout Turn) {
        guard isGood, connection.phase == .open else {
            close(connection.id, &turn)
            connection.phase = .gone
            return tell(connection, inputEndedInOrder: false, &turn)
        }
        if connection.tasks.isEmpty {
            guard !connection.isRetired else { return close(connection.id, &turn) }
            setReading(connection, true, &turn)
        }
        offer(connection, &turn)
        // What has come for the next exchange may have stood behind this one.
        hear(connection, &turn)
    }

    /// The connection serves one more exchange, if it has room for it.
    func offer(_ connection: Connection, _ turn: inout Turn) {
        guard !connection.isRetired else { return }
        guard connection.hasRoom else {
            // What is left are exchanges that were given up.
            if connection.tasks.isEmpty { close(connection.id, &turn) }
            return
        }
        let isKept = pool.offer(
            connection.id, connection.route, isIdle: connection.tasks.isEmpty, heard: connection.heard,
            last: connection.heardAt, at: turn.now, hint: connection.codec.keepAlive)
        if !isKept { close(connection.id, &turn) }
        if let surplus = pool.surplus(besides: connection.id) { close(surplus, &turn) }
    }

    /// Tasks that wait begin anew: what they get comes after this, too (BEHAVIOUR 1.H1-flush).
    func renewConnections(_ turn: inout Turn) {
        guard invalidation != .told else { return }
        turn.outputs.append(.forgetTickets(of: nil))
        leaveConnections(&turn)
    }

    /// What there is serves nothing new, and ends with what it carries; tasks that wait for a dial get another one.
    func leaveConnections(_ turn: inout Turn) {
        for (_, dial) in dials.sorted(by: { $0.key < $1.key }) { giveUp(dial, &turn) }
        for (id, connection) in connections.sorted(by: { $0.key < $1.key }) {
            if connection.tasks.isEmpty { close(id, &turn) } else { retire(connection) }
        }
    }

    /// It ends with what it carries.
    private func retire(_ connection: Connection) {
        connection.isRetired = true
        pool.retired(connection.id, connection.route)
    }

    /// Ends a connection and frees its place.
    func close(_ id: ConnectionID, _ turn: inout Turn) {
        guard let connection = connections[id] else { return }
        dropConnection(id, &turn)
        pool.closed(id, connection.route)
    }

    func dropConnection(_ id: ConnectionID, _ turn: inout Turn) {
        guard connections.removeValue(forKey: id) != nil else { return }
        turn.outputs.append(.close(id))
    }
}
