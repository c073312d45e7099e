import HTTPBasics

/// How long a connection is kept whose client sends nothing, or not enough.
struct PeerPatience {
    /// Nil for ever.
    let timeout: Duration?
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
    /// Closes connections whose clients have had the word for too long, so that those who have something to ask find
    /// room. A whole head must come in that time, any byte of a body. What a lane of the script holds may pause: the
    /// round decides on that.
    func closeSilentPeers() {
        guard patience.isDue(at: moment.instant), let timeout = patience.timeout else { return }
        for connection in connections.values where connection.awaitsClient {
            let isHeld = connection.lane != nil && round.stage != .over
            guard !isHeld, connection.waitingSince + timeout <= moment.instant else { continue }
            journalBrokenRequest(connection)
            close(connection)
            schedule(connection)
        }
        if connections.count > 0 { patience.begin(at: moment.instant) }
    }
}
