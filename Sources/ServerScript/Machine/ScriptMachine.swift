import HTTPBasics
import MachineContract
import NIOCore

/// Plays a script: reads requests, matches them, answers, misbehaves where told to, and keeps the journal.
///
/// The lanes say which step is next (`LaneBoard`), a `ReplyPlayer` yields an answer move by move, and this type
/// carries the moves out, connection by connection. Its extensions hold one concern each.
package final class ScriptMachine: Machine {
    package typealias Input = ScriptInput
    package typealias Output = ScriptOutput

    let script: Script
    let plan: ScriptPlan
    let proxied: ProxiedHosts
    /// Answers what the script does not.
    let improviser: (any Improviser)?
    var board: LaneBoard
    var handshakes: HandshakeBoard
    var connections = PeerTable<ServerConnection>()
    private var wakeTimes = WakeTimes()
    let contents: ContentStore
    var dice: Dice
    /// What has come in slices, by target.
    var assemblies: [String: Assembly] = [:]
    var uploads = UploadStore()
    /// How often each route was used that may be used a number of times only.
    var routeUses: [Int: Int] = [:]
    /// Signals given so far; one that was given stays given.
    var raised: Set<String> = []
    /// Connections that a signal has set going again, to be run when the current one has come to rest.
    var awakened: [PeerID] = []
    /// Step exchanges under way.
    var liveSteps = 0
    var round: Round
    var patience: PeerPatience
    /// The connection that was last in the journal.
    private(set) var latest: ServerConnection?
    var moment = Moment(instant: .zero, date: UnixTime(seconds: 0), entropy: 0)
    var outputs: [ScriptOutput] = []

    /// `origins` maps each host to its URL, such as `http://a.test:8080`, for `$origin` in replies. `seed` decides
    /// which faults with a probability happen; with `repeats` the next round has the next seed. Without `roundTimeout`
    /// a round lasts until its script is consumed, and without `peerTimeout` a connection may keep silent for ever.
    package init(
        script: Script, origins: [String: String], seed: UInt64 = 0, repeats: Bool = false,
        roundTimeout: Duration? = nil, peerTimeout: Duration? = nil, improviser: (any Improviser)? = nil,
        contents: ContentStore = ContentStore()
    ) {
        self.improviser = improviser
        self.contents = contents
        dice = Dice(seed: seed)
        patience = PeerPatience(timeout: peerTimeout)
        round = Round(repeats: repeats, timeout: roundTimeout)
        let proxied = ProxiedHosts(hosts: script.hosts, origins: origins)
        self.proxied = proxied
        var script = Substitution(hosts: script.hosts, origins: origins).apply(to: script)
        script.renameTargets(by: proxied)
        self.script = script
        plan = ScriptPlan(script)
        board = LaneBoard(script)
        handshakes = HandshakeBoard(script)
    }

    package var deadline: Instant? {
        Instant.earlier(wakeTimes.first, Instant.earlier(round.alarm, patience.alarm))
    }

    /// Whether every step has happened, faults of idle connections included, and of handshakes.
    package var isExhausted: Bool { board.isConsumed && owedHandshakes.isEmpty }

    /// Faults of single connections' handshakes that have not struck in this round.
    package var owedHandshakes: [OwedHandshake] { handshakes.owed(script.hosts) }

    /// The steps that have not happened, in file order, each with the number of times that it is still owed.
    package var unconsumedSteps: [Step] { board.unconsumed }

    /// Connections accepted and not yet gone.
    package var openPeers: [PeerID] { connections.values.map(\.id) }

    package func handle(_ input: ScriptInput, at moment: Moment, into outputs: inout [ScriptOutput]) {
        self.moment = moment
        // The caller's array is filled in place: ours is empty between two inputs.
        swap(&self.outputs, &outputs)
        take(input)
        while !awakened.isEmpty {
            with(awakened.removeFirst(), run)
        }
        reportExhaustion()
        swap(&self.outputs, &outputs)
    }

    private func take(_ input: ScriptInput) {
        switch input {
        case .accepted(let peer, let host, let client): accept(peer, host: host, client: client)
        case .received(let peer, let bytes): with(peer) { self.receive(bytes, on: $0) }
        case .inputClosed(let peer): with(peer, inputClosed)
        case .secureFailed(let peer, let failure): with(peer) { journal(.secureFailed(failure), $0) }
        case .unstruck(let peer, let text):
            with(peer) {
                settleHandshake(of: $0)
                reportUnstruck(text, $0)
            }
        case .handshake(let peer, let news): with(peer) { hear(news, of: $0) }
        case .closed(let peer): with(peer, closed)
        case .wrote(let peer, let bytes): with(peer) { self.wrote(bytes, on: $0) }
        case .cut(let peer, let sent):
            board.cut(peer, sent: sent)
            handshakes.cut()
        case .signal(let name): raise(name)
        case .endRound: endRound(.asked)
        case .timePassed: timePassed()
        }
    }

    /// What concerns a connection that is gone is an expected race.
    private func with(_ peer: PeerID, _ body: (ServerConnection) -> Void) {
        guard let connection = connections[peer] else { return }
        let wasPlaying = isPlaying(connection)
        body(connection)
        if wasPlaying || isPlaying(connection) { round.lastNews = moment.instant }
        schedule(connection)
    }

    /// To be called after everything that may move a connection's deadline.
    func schedule(_ connection: ServerConnection) {
        let deadline = connection.deadline
        guard deadline != connection.scheduled else { return }
        wakeTimes.move(connection.id, from: connection.scheduled, to: deadline)
        connection.scheduled = deadline
    }

    private func timePassed() {
        for peer in wakeTimes.due(at: moment.instant) { with(peer, timePassed) }
        endSilentRound()
        closeSilentPeers()
    }

    private func timePassed(_ connection: ServerConnection) {
        guard let deadline = connection.deadline, deadline <= moment.instant else { return }
        switch connection.pause {
        case .until, .paced: connection.pause = nil
        case .signal, .drained, nil: fireIdleFault(connection)
        }
        run(connection)
    }
}

// MARK: What all parts use

extension ScriptMachine {
    func emit(_ output: ScriptOutput) { outputs.append(output) }

    func journal(_ kind: ServerEvent.Kind, _ connection: ServerConnection) {
        latest = connection
        let exchange = max(0, connection.exchangeIndex)
        emit(.journal(ServerEvent(peer: connection.id, exchange: exchange, instant: moment.instant, kind: kind)))
    }

    func write(_ bytes: ByteBuffer, ahead: Bool = false, on connection: ServerConnection) {
        guard bytes.readableBytes > 0 else { return }
        if connection.outstanding == 0 { connection.waitingSince = moment.instant }
        connection.outstanding += bytes.readableBytes
        connection.written += bytes.readableBytes
        emit(ahead ? .writeAhead(connection.id, bytes) : .write(connection.id, bytes))
    }

    /// Goes on with a connection until it has to wait for something.
    func run(_ connection: ServerConnection) {
        while connection.pause == nil, advance(connection) {}
        updateReading(connection)
    }

    /// One move; false when the connection has to wait.
    private func advance(_ connection: ServerConnection) -> Bool {
        switch connection.phase {
        case .idle: return advanceIdle(connection)
        case .socks(let talk): return advanceSocks(talk, connection)
        case .exchange(let exchange):
            return exchange.stage == .answering
                ? advanceAnswer(exchange, connection) : advanceRequest(exchange, connection)
        case .silent:
            connection.reader.discardAll()
            if connection.inputClosed { close(connection) }
            return false
        case .over: return false
        }
    }

    func raise(_ name: String) {
        raised.insert(name)
        for connection in connections.values where connection.pause == .signal(name) {
            connection.pause = nil
            awakened.append(connection.id)
        }
    }

    /// Holds the client back while more is buffered than the script is reading.
    private func updateReading(_ connection: ServerConnection) {
        guard !connection.isOver else { return }
        let wanted = !connection.holdsReading && connection.reader.bufferedBytes < connection.inputLimit
        guard wanted != connection.isReading else { return }
        connection.isReading = wanted
        emit(.setReading(connection.id, wanted))
    }
}
