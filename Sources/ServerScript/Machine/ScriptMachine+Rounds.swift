import HTTPBasics

/// Rounds: a script that is consumed or given up begins anew.
extension ScriptMachine {
    func startOver(for connection: ServerConnection) {
        let scope = connection.scope
        reportExhaustion(of: scope)
        // What a case is asked for behind its last step is judged, too: only its player begins it anew.
        guard repeats, scope.state.round.stage == .over, improviser?.script(ofScope: scope.name) == nil else { return }
        replace(scope, by: scope.fresh(seed: scope.state.dice.seed &+ 1))
        journal(.startedOver, connection)
    }

    /// The script lets go of connections that are still open; their clients see nothing of it.
    func replace(_ scope: ScriptScope, by state: ScriptState) {
        scope.state = state
        for connection in connections.values where connection.scope === scope {
            connection.lane = nil
            connection.hasUnlabelledSteps = false
            connection.rawLeft = nil
        }
    }

    /// That its script is exhausted is told when what came in has been dealt with.
    func note(_ scope: ScriptScope) {
        if touched.last !== scope { touched.append(scope) }
    }

    /// Told with the connection that was last in the journal.
    func reportExhaustion(of scope: ScriptScope) {
        let state = scope.state
        guard !state.board.lanes.isEmpty, state.round.stage != .over, state.liveSteps == 0, state.isExhausted,
            let latest = state.latest
        else { return }
        state.round.stage = .over
        journal(.exhausted, latest, scope)
    }

    func touch(_ state: ScriptState) {
        guard state.round.touch(at: moment.instant), let timeout = state.prepared.roundTimeout else { return }
        roundAlarm = Instant.earlier(roundAlarm, moment.instant + timeout)
    }

    /// A step of this round happens on the connection.
    func takeStep(on connection: ServerConnection) {
        let state = connection.scope.state
        touch(state)
        connection.played = state
        state.round.lastNews = moment.instant
    }

    /// The state in whose round a connection is in the midst of a step, if that is under way: not a route's, nor what
    /// an earlier round left behind.
    func playing(_ connection: ServerConnection) -> ScriptState? {
        guard let state = connection.played, state.round.stage == .underWay, connection.isBusy else { return nil }
        return state
    }

    /// A client that waits for its answer has not given up, however long it takes: it may be what the script is about.
    /// One that does not read its answer may have.
    func endSilentRounds() {
        guard let alarm = roundAlarm, alarm <= moment.instant else { return }
        roundAlarm = nil
        for scope in everyScope { endSilentRound(of: scope) }
    }

    private func endSilentRound(of scope: ScriptScope) {
        let state = scope.state
        guard state.round.stage == .underWay, !state.board.lanes.isEmpty, let timeout = state.prepared.roundTimeout
        else { return }
        let isPlayed = connections.values.contains { playing($0) === state && !$0.awaitsClient }
        let due = (isPlayed ? moment.instant : state.round.lastNews) + timeout
        if due <= moment.instant {
            endRound(of: scope, .silence(timeout))
        } else {
            roundAlarm = Instant.earlier(roundAlarm, due)
        }
    }

    /// A script that owes nothing, as one without steps, has nothing to give up: its round is just over. A client in
    /// the middle of a step is reset, since its answer belongs to a script that is not played any more; what routes
    /// answer goes on.
    func endRound(of scope: ScriptScope, _ reason: Abandonment) {
        let state = scope.state
        guard state.round.stage == .underWay, let latest = state.latest else { return }
        let players = connections.values.filter { playing($0) === state }
        state.round.stage = .over
        journal(state.board.lanes.isEmpty && state.isExhausted ? .exhausted : .abandoned(reason), latest, scope)
        for connection in players {
            reset(connection)
            schedule(connection)
        }
    }
}
