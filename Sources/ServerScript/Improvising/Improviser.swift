import HTTPBasics

/// Answers what no step and no route of a script takes. Its functions are pure: the same request, the same answer.
package protocol Improviser: Sendable {
    /// What happens to a request whose head has been read; nil for one that it knows nothing about. `standing` says
    /// what has become of the script in a scope; nil where nobody has asked for anything.
    func improvise(_ request: ImprovisedRequest, standing: (String) -> ScopeStanding?) -> Improvisation?

    /// The answer once the body has come, where `Improvisation.awaitsBody` asked for it.
    func reply(to request: ImprovisedRequest, body: RecordedBody) -> Reply

    /// What is played in the scope of this name in place of the server's script; nil for that.
    func script(ofScope name: String) -> Script?

    /// What came closest to a request that was not taken, a line for each.
    func nearest(to request: ReceivedHead) -> [String]
}

/// A request, and all else that an improvised answer may depend on.
package struct ImprovisedRequest: Hashable, Sendable {
    package var head: ReceivedHead
    /// `http` or `https`.
    package var scheme: String
    /// The client's IP address, where it is known.
    package var client: String?
    package var date: UnixTime
    /// How often its target was asked for before, in this round.
    package var turn: Int
    /// Random: drawn from the seed for this target and this turn.
    package var draw: UInt64
    package var seed: UInt64

    package init(
        _ head: ReceivedHead, scheme: String = "http", client: String? = nil, date: UnixTime, turn: Int = 0,
        draw: UInt64 = 0, seed: UInt64 = 0
    ) {
        self.head = head
        self.scheme = scheme
        self.client = client
        self.date = date
        self.turn = turn
        self.draw = draw
        self.seed = seed
    }

    /// A further random number of this turn.
    package func draw(_ index: UInt64) -> UInt64 { Dice.mix(draw &+ Dice.mix(index)) }

    /// What the seed makes of a number: nobody who does not know the seed can foretell it.
    package func proof(of number: UInt64) -> UInt64 { Dice.mix(number ^ Dice.mix(seed &+ 0x7072_6f6f_66)) }
}

/// What has become of a scope's script in the present round.
package struct ScopeStanding: Hashable, Sendable {
    package var requestCount: Int
    /// Steps that have not happened, in words.
    package var unconsumed: [String]
    /// The first of them.
    package var violations: [String]

    package init(requestCount: Int, unconsumed: [String] = [], violations: [String] = []) {
        self.requestCount = requestCount
        self.unconsumed = unconsumed
        self.violations = violations
    }
}

/// What happens to a request, in a script's own values.
package struct Improvisation: Hashable, Sendable {
    package var exchange: Exchange
    /// The reply depends on the body: `Improviser.reply` is asked again when that is there.
    package var awaitsBody: Bool
    /// The target as the journal may show it, where it holds a secret.
    package var shownTarget: String?
    /// The scope whose script begins anew.
    package var reset: String?

    package init(
        _ exchange: Exchange, awaitsBody: Bool = false, shownTarget: String? = nil, reset: String? = nil
    ) {
        self.reset = reset
        self.exchange = exchange
        self.awaitsBody = awaitsBody
        self.shownTarget = shownTarget
    }
}
