import HTTPBasics

/// Rounds: a script that is consumed or given up begins anew.
extension ScriptMachine {
    /// The script lets go of connections that are still open; their clients see nothing of it.
    func startOver(for connection: ServerConnection) {
        reportExhaustion()
        guard round.repeats, round.stage == .over else { return }
        round.startOver()
        board = LaneBoard(script)
        handshakes = HandshakeBoard(script)
        dice = Dice(seed: dice.seed &+ 1)
        raised = []
        assemblies = [:]
        uploads = UploadStore()
        routeUses = [:]
        for connection in connections.values {
            connection.lane = nil
            connection.hasUnlabelledSteps = false
            connection.rawLeft = nil
        }
        journal(.startedOver, connection)
    }

    /// Told with the connection that was last in the journal.
    func reportExhaustion() {
        guard !board.lanes.isEmpty, round.stage != .over, liveSteps == 0, isExhausted, let latest else { return }
        round.stage = .over
        journal(.exhausted, latest)
    }

    /// Whether something has happened in the round that no verdict has been given on.
    package var isRoundUnderWay: Bool { round.stage == .underWay }

    /// A step of this round happens on the connection.
    func takeStep(on connection: ServerConnection) {
        round.touch(at: moment.instant)
        connection.round = round.number
        round.lastNews = moment.instant
    }

    /// Whether a connection is in the midst of a step of the round that is under way, not of a route nor of what an
    /// earlier round left behind.
    func isPlaying(_ connection: ServerConnection) -> Bool {
        round.stage == .underWay && connection.round == round.number && connection.isBusy
    }

    /// A client that waits for its answer has not given up, however long it takes: it may be what the script is about.
    /// One that does not read its answer may have.
    func endSilentRound() {
        guard let alarm = round.alarm, alarm <= moment.instant, let timeout = round.timeout else { return }
        round.alarm = nil
        guard round.stage == .underWay, !board.lanes.isEmpty else { return }
        let isPlayed = connections.values.contains { isPlaying($0) && !$0.awaitsClient }
        let due = (isPlayed ? moment.instant : round.lastNews) + timeout
        if due <= moment.instant { endRound(.silence(timeout)) } else { round.alarm = due }
    }

    /// A script that owes nothing, as one without steps, has nothing to give up: its round is just over. A client in
    /// the middle of a step is reset, since its answer belongs to a script that is not played any more; what routes
    /// answer goes on.
    func endRound(_ reason: Abandonment) {
        guard round.stage == .underWay, let latest else { return }
        let players = connections.values.filter(isPlaying)
        round.stage = .over
        journal(board.lanes.isEmpty && isExhausted ? .exhausted : .abandoned(reason), latest)
        for connection in players {
            reset(connection)
            schedule(connection)
        }
    }
}
