import HTTPBasics

/// How long a connection is kept whose client sends nothing, or not enough.
struct PeerPatience {
    /// Nil for ever.
    let timeout: Duration?
    /// How long a `stall` lasts that no round plays any more, in timeouts: longer than any client of a test waits,
    /// since to be kept waiting may be what it is about.
    static let stall = 10
    /// When to look at all connections again; a quarter of the timeout lies between two looks.
    private(set) var alarm: Instant?

    init(timeout: Duration?) { self.timeout = timeout }

    /// There is a connection.
    mutating func begin(at now: Instant) {
        if alarm == nil { alarm = timeout.map { now + $0 / 4 } }
    }

    /// Whether it is time; `begin` sets the next one.
    mutating func isDue(at now: Instant) -> Bool {
        guard let alarm, alarm <= now else { return false }
        self.alarm = nil
        return true
    }
}

extension ScriptMachine {
    /// Ends connections whose clients have had the word for too long, so that those who have something to ask find
    /// room. A whole head must come in that time, any byte of a body, and any byte of an answer must be taken: what is
    /// not read by then never is, so its connection is reset. What plays the round may pause: the round decides.
    func closeSilentPeers() {
        guard patience.isDue(at: moment.instant), let timeout = patience.timeout else { return }
        for connection in connections.values {
            guard let span = patience(with: connection, timeout), connection.waitingSince + span <= moment.instant
            else { continue }
            noteImpatience(connection, timeout)
            if connection.outstanding > 0 { reset(connection) } else { close(connection) }
            schedule(connection)
        }
        if connections.count > 0 { patience.begin(at: moment.instant) }
    }

    /// Who has closed a connection should not be guessed at, but for one that nobody had begun to use.
    private func noteImpatience(_ connection: ServerConnection, _ timeout: Duration) {
        let owed =
            switch connection.phase {
            case .silent, .refused: ""
            case _ where connection.outstanding > 0: "took nothing of its answer"
            case .exchange: "sent nothing more of a request's body"
            case .idle where connection.reader.bufferedBytes > 0: "did not send the rest of a request's head"
            case .socks(let talk) where talk.reader.bufferedBytes > 0: "did not send the rest of what it asks a proxy"
            case .idle, .socks, .over: ""
            }
        if !owed.isEmpty { journal(.noted("closed by the server: for \(timeout) the client \(owed)"), connection) }
    }

    private func patience(with connection: ServerConnection, _ timeout: Duration) -> Duration? {
        if connection.played?.round.stage == .underWay, !connection.isOver { return nil }
        if case .silent = connection.phase { return timeout * PeerPatience.stall }
        return connection.awaitsClient ? timeout : nil
    }
}
