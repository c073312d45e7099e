import HTTPBasics

/// The script's state: what exchanges demand of it and do to it, and answers that say something of it or a request.
extension ScriptMachine {
    func isInState(_ planned: PlannedExchange, _ head: ReceivedHead, _ state: ScriptState) -> Bool {
        let rules = planned.scripted.request.state
        if rules.isEmpty { return true }
        var source = source(of: planned.match, head, state)
        return rules.allSatisfy { $0.difference(from: state.variables, &source) == nil }
    }

    /// What is wrong with the state for an exchange that a request did not get.
    func stateDifferences(_ request: RequestMatch, _ head: ReceivedHead, _ state: ScriptState) -> [Difference] {
        if request.state.isEmpty { return [] }
        var source = source(of: PlannedMatch(request), head, state)
        return request.state.compactMap { $0.difference(from: state.variables, &source) }.map { Difference($0) }
    }

    /// The exchange is chosen: its changes happen now, all of them, before any other request is looked at. Those that
    /// are made of the body happen when it is read.
    func changeState(_ exchange: ActiveExchange, _ planned: PlannedExchange, _ connection: ServerConnection) {
        if !planned.scripted.changes.isEmpty {
            exchange.owesChanges = planned.changesNeedBody && exchange.stage != .requestRead
            if exchange.owesChanges { return }
            let state = exchange.state
            var source = source(of: planned.match, exchange.request, state, body: exchange.recorder.record)
            for change in planned.scripted.changes { carryOut(change, &source, state, connection) }
            note(source.missing, connection)
            state.draws &+= 16
        }
        if planned.reply?.template?.usesState == true { exchange.variables = exchange.state.variables }
    }

    private func carryOut(
        _ change: StateChange, _ source: inout TemplateSource, _ state: ScriptState, _ connection: ServerConnection
    ) {
        let name = source.text(change.name)
        let isKept: Bool
        switch change.kind {
        case .count: isKept = state.variables.increment(name)
        case .set(let value):
            source.variables = state.variables
            isKept = state.variables.set(name, source.text(value))
        }
        if !isKept { journal(.noted("the state holds no more: \(excerpt(change.name.text)) is not kept"), connection) }
    }

    private func note(_ missing: [TemplateWord], _ connection: ServerConnection) {
        for word in missing { journal(.noted("nothing stands for $\(word.text)"), connection) }
    }

    /// The answer that the request gets, made of the script's words and its own.
    func made(
        _ template: ReplyTemplate, _ reply: Reply, for exchange: ActiveExchange, _ connection: ServerConnection
    ) -> Reply {
        guard let match = exchange.plan?.match else { return reply }
        let state = exchange.state
        var source = source(of: match, exchange.request, state, body: exchange.recorder.record)
        source.variables = exchange.variables ?? state.variables
        state.draws &+= 1 << 10
        let made = template.reply(reply, &source)
        note(source.missing, connection)
        if source.isCut { journal(.noted("an answer that is made of the request is cut at 1 MiB"), connection) }
        return made
    }

    private func source(
        of match: PlannedMatch, _ head: ReceivedHead, _ state: ScriptState, body: RecordedBody? = nil
    ) -> TemplateSource {
        TemplateSource(
            head: head, captures: match.captures(in: head),
            body: body ?? RecordedBody(prefix: [], count: 0, checksum: 0), variables: state.variables,
            date: moment.date, dice: state.dice, place: state.draws)
    }

    /// How long the answer waits, drawn anew for each request.
    func delay(of reply: PlannedReply, _ state: ScriptState) -> Duration {
        guard let spread = reply.scripted.delaySpread else { return reply.scripted.delay }
        let place = state.draws
        state.draws &+= 16
        return reply.scripted.delay + spread.delay { state.dice.word(place: place &+ $0) }
    }
}
