/// Handshakes that go wrong on purpose.
extension ScriptMachine {
    /// Whether the fault of its host is to strike while the connection is secured.
    func spoilsHandshake(of connection: ServerConnection) -> Bool {
        guard connection.scope.state.handshakes.begin(connection.host) else { return false }
        connection.spoilt = (connection.host, connection.scope.state)
        return true
    }

    /// The fault of this round has had its turn.
    func settleHandshake(of connection: ServerConnection) {
        guard let (host, state) = connection.spoilt else { return }
        connection.spoilt = nil
        state.handshakes.strike(host)
    }

    /// A client that the script keeps waiting in a handshake has not given up, no more than one that waits for its
    /// answer: it plays the round that is under way.
    func hear(_ news: HandshakeNews, of connection: ServerConnection) {
        settleHandshake(of: connection)
        connection.isHeldUp = news == .paused && !connection.isOver
        guard !connection.isOver else { return }
        connection.waitingSince = moment.instant
        switch news {
        case .struck, .goesOn: return
        case .stalled: if connection.isIdle { connection.phase = .silent }
        case .paused: break
        }
        let state = connection.scope.state
        if state.round.stage == .underWay { connection.played = state }
    }
}
