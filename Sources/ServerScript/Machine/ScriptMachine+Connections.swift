import HTTPBasics
import NIOCore

/// Beginning and end of connections, and the steps that happen outside of exchanges.
extension ScriptMachine {
    func accept(_ peer: PeerID, host: String, client: String?) {
        guard connections[peer] == nil else { return }
        let connection = connection(peer, host)
        connection.client = client
        startOver(for: connection)
        connections.insert(connection, for: peer)
        connection.waitingSince = moment.instant
        patience.begin(at: moment.instant)
        journal(.accepted, connection)
        startSocks(on: connection)
        if spoilsHandshake(of: connection) { emit(.spoilHandshake(peer)) }
        if let lane = laneForAccepted(connection) {
            let board = connection.state.board
            board.bind(lane, to: peer)
            if board.lanes[lane].label != nil { connection.lane = lane }
        }
        run(connection)
        schedule(connection)
    }

    /// - Parameter host: Or the label of the mount whose port it came to.
    private func connection(_ peer: PeerID, _ host: String) -> ServerConnection {
        guard let mount = mounts.first(where: { $0.mount.port != nil && $0.mount.label == host })?.mount,
            let scope = named[mount.label]
        else { return ServerConnection(peer, host: host, main) }
        let connection = ServerConnection(peer, host: main.state.script.hosts.first ?? "", scope)
        connection.mount = mount.label
        return connection
    }

    /// The lane whose next step is about a fresh connection itself, unless an earlier lane has to get it.
    ///
    /// Lanes that begin with a request take connections only with that request; until then each of them stands
    /// for one of the fresh connections that are waiting.
    func laneForAccepted(_ connection: ServerConnection) -> Int? {
        let state = connection.state, board = state.board
        var waiting = connections.values.count {
            $0 !== connection && $0.host == connection.host && $0.mount == connection.mount && $0.isUnclaimed
        }
        for lane in board.inFileOrder {
            guard let step = board.next(lane), board.host(of: step) == connection.host else { continue }
            switch state.script.steps[step].action {
            case .accept: return lane
            case .exchange where wantsFreshConnection(lane, of: board):
                if waiting == 0 { return nil }
                waiting -= 1
            case .read, .write, .close:
                if wantsFreshConnection(lane, of: board) { return lane }
            case .exchange: continue
            }
        }
        return nil
    }

    private func wantsFreshConnection(_ lane: Int, of board: LaneBoard) -> Bool {
        guard let holder = board.lanes[lane].peer else { return true }
        // The lane without a label goes on wherever there is a connection.
        return board.lanes[lane].label == nil && connections[holder] == nil
    }

    func receive(_ bytes: ByteBuffer, on connection: ServerConnection) {
        guard !connection.isOver, bytes.readableBytes > 0 else { return }
        connection.isFresh = false
        // Bytes of a body are news; bytes of a head are not before it is complete.
        if connection.exchange != nil { connection.waitingSince = moment.instant }
        forgetIdleFault(connection)
        connection.reader.receive(bytes)
        run(connection)
    }

    func wrote(_ bytes: Int, on connection: ServerConnection) {
        connection.outstanding = max(0, connection.outstanding - max(0, bytes))
        connection.waitingSince = moment.instant
        guard !connection.isOver else { return }
        if connection.pause == .drained {
            if connection.outstanding == 0 { reset(connection) }
            return
        }
        guard connection.wantsRoom else { return }
        connection.wantsRoom = false
        run(connection)
    }

    /// What is being written is finished, since a client may close its sending side early (RFC 9112 9.6). One that
    /// closes while the script waits for a signal is taken for gone, and so is one in a delay that is not sat through.
    func inputClosed(_ connection: ServerConnection) {
        connection.inputClosed = true
        connection.ended(by: .client)
        guard !connection.isOver else { return }
        switch connection.pause {
        case .until, .signal: if !sitsThrough(connection) { leave(connection) }
        case .paced, .drained: return
        case nil: run(connection)
        }
    }

    /// Whether a client that has closed its side gets what comes behind the present delay. In a scenario it is gone:
    /// whose client it is does not close by halves. A server for any client cannot tell, so it waits for as long as for
    /// a client that may have given up. A fault that is still to strike would be owed if it were gone, and is.
    func sitsThrough(_ connection: ServerConnection) -> Bool {
        guard case .until(let due) = connection.pause, let exchange = connection.exchange,
            !connection.scope.isFrozen, faults(of: exchange).isEmpty,
            let patience = exchange.state.prepared.roundTimeout, due <= moment.instant + patience
        else { return false }
        // The next client need not wait for its end: the script may begin anew meanwhile.
        if repeats { exchange.letGo() }
        return true
    }

    private func faults(of exchange: ActiveExchange) -> [Fault] { (exchange.player?.faults ?? exchange.faults).list }

    func closed(_ connection: ServerConnection) {
        journalBrokenRequest(connection)
        oweFaults(of: connection)
        leaveExchange(connection)
        connection.ended(by: .client)
        connection.phase = .over
        journal(.closed(byClient: connection.end == .client), connection)
        connections.remove(connection.id)
    }

    /// A client that goes away in the midst of a request should not go unnoticed.
    func journalBrokenRequest(_ connection: ServerConnection) {
        guard connection.end != .server else { return }
        switch connection.phase {
        case .idle:
            let count = connection.reader.bufferedBytes
            if count > 0 { journal(.brokenOff(.head, bytes: count), connection) }
        case .exchange(let exchange) where exchange.stage == .requestBody:
            journal(.brokenOff(.body, bytes: exchange.recorder.count), connection)
        case .socks(let talk):
            let count = talk.reader.bufferedBytes
            if count > 0 { journal(.brokenOff(.head, bytes: count), connection) }
        case .exchange, .refused, .silent, .over: break
        }
    }

    func close(_ connection: ServerConnection, isAnnounced: Bool = true) {
        connection.ended(by: .server)
        leaveExchange(connection)
        connection.phase = .over
        emit(.close(connection.id, isAnnounced: isAnnounced))
    }

    /// The client has closed its side, and does not sit through what is to come.
    func leave(_ connection: ServerConnection) {
        oweFaults(of: connection)
        close(connection)
    }

    /// A step whose client has left before its faults has not happened as it should.
    private func oweFaults(of connection: ServerConnection) {
        guard let exchange = connection.exchange, let turn = exchange.turn, !turn.isReplay else { return }
        let faults = faults(of: exchange)
        // One of an idle connection has been owed from the beginning. After a cut nobody knows who has left.
        guard !faults.isEmpty, !faults.contains(where: { $0.landmark.kind == .idle }), !exchange.state.board.isCut
        else { return }
        exchange.state.board.owe(faults, of: turn.step)
    }

    func reset(_ connection: ServerConnection) {
        connection.ended(by: .server)
        leaveExchange(connection)
        connection.phase = .over
        emit(.reset(connection.id))
    }

    /// The exchange is over, however it ended.
    func leaveExchange(_ connection: ServerConnection) {
        connection.pause = nil
        guard let exchange = connection.exchange else { return }
        exchange.letGo()
        exchange.state.board.endReading(on: connection.id)
        connection.waitingSince = moment.instant
        connection.phase = .idle
    }
}

// MARK: Idle

extension ScriptMachine {
    func advanceIdle(_ connection: ServerConnection) -> Bool {
        if let lane = laneWithConnectionStep(connection) { return performConnectionStep(lane, connection) }
        switch connection.reader.next(knowing: recentHeads) {
        case .head(let head):
            begin(head, on: connection)
            return true
        case .malformed(let text):
            connection.exchangeIndex += 1
            startOver(for: connection)
            let violation = Violation("malformed request: \(text)", kind: .malformed)
            reject(violation, of: nil, status: 400, on: connection)
            return false
        case .body, .end, nil:
            guard connection.inputClosed else {
                armIdleFault(connection)
                return false
            }
            journalBrokenRequest(connection)
            close(connection)
            return false
        }
    }

    private func laneWithConnectionStep(_ connection: ServerConnection) -> Int? {
        if let lane = connection.lane, wantsConnectionStep(lane, connection) { return lane }
        if let lane = connection.state.board.unlabelled, wantsConnectionStep(lane, connection) { return lane }
        return nil
    }

    private func wantsConnectionStep(_ lane: Int, _ connection: ServerConnection) -> Bool {
        let state = connection.state, board = state.board
        guard board.lanes[lane].peer == connection.id, let step = board.next(lane) else { return false }
        switch state.script.steps[step].action {
        case .exchange: return false
        case .accept: return connection.isFresh
        case .read, .write, .close: return true
        }
    }

    private func performConnectionStep(_ lane: Int, _ connection: ServerConnection) -> Bool {
        let state = connection.state, board = state.board
        guard let index = board.next(lane) else { return false }
        takeStep(on: connection)
        if board.lanes[lane].label == nil { connection.hasUnlabelledSteps = true }
        switch state.script.steps[index].action {
        case .exchange: return false
        case .accept(let fault): performAccept(fault, step: index, lane, connection)
        case .read(let bytes): return performRead(bytes, lane, connection)
        case .write(let bytes):
            connection.wantsRoom = connection.outstanding >= ServerConnection.window
            if connection.wantsRoom { return false }
            board.takeConnectionStep(lane, on: connection.id)
            write(ByteBuffer(bytes: bytes), on: connection)
            openTunnel(by: bytes, connection)
        case .close(let effect):
            board.takeConnectionStep(lane, on: connection.id)
            apply(effect, to: connection)
        }
        return true
    }

    private func performAccept(_ fault: Fault?, step: Int, _ lane: Int, _ connection: ServerConnection) {
        let state = connection.state
        connection.isFresh = false
        state.board.takeConnectionStep(lane, on: connection.id)
        guard let fault = fault.flatMap({ draw($0, place: .step(step), connection) }) else { return }
        guard case .idle = fault.landmark else {
            journal(.faulted(fault), connection)
            return apply(fault.effect, to: connection)
        }
        state.board.owe([fault], of: step)
        connection.idleFault = .init(fault, step: step, state)
    }

    private func performRead(_ bytes: Int, _ lane: Int, _ connection: ServerConnection) -> Bool {
        let wanted = connection.rawLeft ?? max(0, bytes)
        let left = wanted - connection.reader.takeRaw(wanted).readableBytes
        connection.rawLeft = left == 0 ? nil : left
        if left == 0 { connection.state.board.takeConnectionStep(lane, on: connection.id) }
        if left > 0, connection.inputClosed { close(connection) }
        return left == 0
    }
}
