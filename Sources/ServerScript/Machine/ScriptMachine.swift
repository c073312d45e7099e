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

    /// Answers what the script does not.
    let improviser: (any Improviser)?
    /// Of the first round in each scope.
    let seed: UInt64
    /// A script that is consumed or given up begins anew.
    let repeats: Bool
    /// Requests may name a scope.
    let hasScopes: Bool
    /// The scope of requests that name none.
    let main: ScriptScope
    /// What a scope begins with that somebody names for the first time.
    var template: PreparedScript
    var mounts: [PreparedMount] = []
    let origins: [String: String]
    let endsSilentRounds: Bool
    /// Named scopes at one time. The one that was idle for longest makes room.
    let mostScopes: Int
    var named: [String: ScriptScope] = [:]
    /// Those that what came in has to do with.
    var touched: [ScriptScope] = []
    /// What has become of scopes that are forgotten, where the improviser has given them their scripts.
    var remembered: [String: ScopeStanding] = [:]
    var connections = PeerTable<ServerConnection>()
    private var wakeTimes = WakeTimes()
    let contents: ContentStore
    let documents = DocumentBudget()
    let recentHeads = RecentHeads()
    /// Of the request that is being looked at.
    let patternWork = PatternWork()
    /// Connections that a signal has set going again, to be run when the current one has come to rest.
    var awakened: [PeerID] = []
    /// When to look which rounds have been silent for too long. It is late rather than moved with every request.
    var roundAlarm: Instant?
    /// When to look which scopes are not used any more.
    var scopeAlarm: Instant?
    /// What was wanted for all scopes is so for those that are named later.
    var opensFrozen = false
    var commonSignals: Set<String> = []
    var patience: PeerPatience
    var moment = Moment(instant: .zero, date: UnixTime(seconds: 0), entropy: 0)
    var outputs: [ScriptOutput] = []

    /// `origins` maps each host to its URL, such as `http://a.test:8080`, for `$origin` in replies. `seed` decides
    /// which faults with a probability happen; with `repeats` the next round has the next seed. Without `roundTimeout`
    /// a round lasts until its script is consumed, and without `peerTimeout` a connection may keep silent for ever.
    /// Requests name scopes only where the server is shared; then there may be `mounts`, too.
    package init(
        script: Script, origins: [String: String], seed: UInt64 = 0, repeats: Bool = false,
        roundTimeout: Duration? = nil, peerTimeout: Duration? = nil, hasScopes: Bool = false, mostScopes: Int = 256,
        mounts: [ScriptMount] = [], improviser: (any Improviser)? = nil, contents: ContentStore = ContentStore()
    ) {
        self.improviser = improviser
        self.contents = contents
        self.seed = seed
        self.repeats = repeats
        self.hasScopes = hasScopes
        self.mostScopes = mostScopes
        patience = PeerPatience(timeout: peerTimeout)
        let prepared = PreparedScript(script, origins: origins, roundTimeout: roundTimeout)
        self.origins = origins
        endsSilentRounds = roundTimeout != nil
        template = prepared
        main = ScriptScope("", prepared, seed: seed, at: .zero)
        // The longest path comes first.
        for mount in mounts.sorted(by: { $0.label.utf8.count > $1.label.utf8.count }) { add(mount) }
    }

    package var deadline: Instant? {
        let alarm = Instant.earlier(roundAlarm, Instant.earlier(scopeAlarm, patience.alarm))
        return Instant.earlier(wakeTimes.first, alarm)
    }

    /// Whether every step has happened, faults of idle connections included, and of handshakes.
    package var isExhausted: Bool { main.state.isExhausted }

    /// Faults of single connections' handshakes that have not struck in this round.
    package var owedHandshakes: [OwedHandshake] { main.state.owedHandshakes }

    /// The steps that have not happened, in file order, each with the number of times that it is still owed.
    package var unconsumedSteps: [Step] { main.state.board.unconsumed }

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
        for scope in touched { reportExhaustion(of: scope) }
        touched.removeAll(keepingCapacity: true)
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
            note(main)
            main.state.board.cut(peer, sent: sent)
            main.state.handshakes.cut()
        case .signal(let name): raise(name, in: main)
        case .endRound: for scope in everyScope { endRound(of: scope, .asked) }
        case .order(let order, let scope): carryOut(order, in: scope)
        case .timePassed: timePassed()
        }
    }

    /// What concerns a connection that is gone is an expected race.
    private func with(_ peer: PeerID, _ body: (ServerConnection) -> Void) {
        guard let connection = connections[peer] else { return }
        note(connection.scope)
        let before = playing(connection)
        body(connection)
        before?.round.lastNews = moment.instant
        playing(connection)?.round.lastNews = moment.instant
        note(connection.scope)
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
        endSilentRounds()
        forgetIdleScopes()
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
        let latest = (peer: connection.id, exchange: max(0, connection.exchangeIndex))
        connection.scope.state.latest = latest
        journal(kind, latest, connection.scope)
    }

    func journal(_ kind: ServerEvent.Kind, _ place: (peer: PeerID, exchange: Int), _ scope: ScriptScope) {
        let event = ServerEvent(
            peer: place.peer, exchange: place.exchange, instant: moment.instant, kind: kind, scope: scope.name)
        emit(.journal(event))
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
            if connection.scope.isFrozen, !exchange.isReadUnnoticed { return rest(connection) }
            return exchange.stage == .answering
                ? advanceAnswer(exchange, connection) : advanceRequest(exchange, connection)
        case .refused(let refusal):
            if connection.scope.isFrozen { return rest(connection) }
            answer(refusal, connection)
            return false
        case .silent:
            connection.reader.discardAll()
            if connection.inputClosed { close(connection) }
            return false
        case .over: return false
        }
    }

    /// What is frozen waits to be let go; a client that has closed its side does not sit through that.
    private func rest(_ connection: ServerConnection) -> Bool {
        if connection.inputClosed { leave(connection) }
        return false
    }

    /// From outside: also for what goes on there with a state that another one has replaced.
    func raise(_ name: String, in scope: ScriptScope) {
        raise(name, in: scope.state)
        for connection in connections.values where connection.scope === scope && connection.pause == .signal(name) {
            raise(name, in: connection.state)
        }
    }

    /// By the script.
    func raise(_ name: String, in state: ScriptState) {
        state.raised.insert(name)
        for connection in connections.values where connection.state === state && connection.pause == .signal(name) {
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
