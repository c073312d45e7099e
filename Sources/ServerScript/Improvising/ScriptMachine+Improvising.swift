import HTTPBasics

/// Answers that no script has written down.
extension ScriptMachine {
    /// A request that is answered by the improviser, as the exchange of a route.
    func improvised(_ head: ReceivedHead, _ connection: ServerConnection) -> ActiveExchange.Source? {
        guard let improviser else { return nil }
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
        guard let found = improviser.improvise(request) else { return nil }
        return .route(PlannedExchange(found, for: request, host: connection.servedHost, place: place))
    }

    /// The request has been read: what its body decides.
    func settleImprovised(_ exchange: ActiveExchange) {
        guard let request = exchange.plan?.awaitedBy, let improviser else { return }
        exchange.ownReply = PlannedReply(
            improviser.reply(to: request, body: exchange.recorder.record), isMade: true)
    }
}
