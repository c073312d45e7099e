import HTTPBasics

/// Answers that no script has written down.
extension ScriptMachine {
    /// A request that is answered by the improviser, as the exchange of a route.
    func improvised(_ head: ReceivedHead, _ connection: ServerConnection) -> ActiveExchange.Source? {
        // A scope with a script of its own is that script's alone.
        guard let improviser, improviser.script(ofScope: connection.scope.name) == nil else { return nil }
        let state = connection.scope.state, script = state.script
        var sum = Checksum()
        var target = head.target
        target.withUTF8 { sum.update(UnsafeRawBufferPointer($0)) }
        let place = DrawPlace.improvised(Int(truncatingIfNeeded: sum.value))
        // Its faults are drawn for apart from it.
        let (turn, draw) = state.dice.draw(
            place: DrawPlace.improvised(~Int(truncatingIfNeeded: sum.value)).number(in: script))
        let request = ImprovisedRequest(
            head, scheme: script.scheme(of: connection.servedHost), client: connection.client, date: moment.date,
            turn: turn, draw: draw, seed: state.dice.seed)
        guard let found = improviser.improvise(request, standing: { self.judgement(of: $0) }) else { return nil }
        if let scope = found.reset {
            remembered[scope] = nil
            carryOut(.reset, in: scope)
        }
        return .route(PlannedExchange(found, for: request, host: connection.servedHost, place: place))
    }

    /// What a scope is made of that somebody names for the first time.
    func preparedScript(ofScope name: String) -> PreparedScript {
        guard let script = improviser?.script(ofScope: name) else { return template }
        // Its URLs lead back into it.
        let origins = origins.mapValues { $0 + ScopeName.prefix + name }
        return PreparedScript(script, origins: origins, roundTimeout: endsSilentRounds ? script.roundTimeout : nil)
    }

    /// Of one that is forgotten what it was like then.
    func judgement(of name: String) -> ScopeStanding? {
        guard let state = scope(name)?.state else { return remembered[name] }
        let unconsumed = state.board.unconsumed.map { step in
            step.owedText + step.action.summary + (step.times > 1 ? " (\(step.times) times)" : "")
        }
        return ScopeStanding(requestCount: state.requestCount, unconsumed: unconsumed, violations: state.violations)
    }

    /// Before a scope with a script of its own is forgotten.
    func remember(_ scope: ScriptScope) {
        guard let improviser, remembered.count < ScriptMachine.mostRemembered,
            improviser.script(ofScope: scope.name) != nil
        else { return }
        remembered[scope.name] = judgement(of: scope.name)
    }

    static let mostRemembered = 10_000

    /// The request has been read: what its body decides.
    func settleImprovised(_ exchange: ActiveExchange) {
        guard let request = exchange.plan?.awaitedBy, let improviser else { return }
        exchange.ownReply = PlannedReply(
            improviser.reply(to: request, body: exchange.recorder.record), isMade: true)
    }
}
