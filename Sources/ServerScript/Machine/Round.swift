import HTTPBasics

/// How far a script has been played that clients may play again and again.
struct Round {
    enum Stage {
        /// No client has asked for anything yet.
        case untouched
        case underWay
        /// Consumed, or given up: what is asked next begins the script anew, if it is one that repeats.
        case over
    }

    let repeats: Bool
    /// How long nothing may happen in the round's own steps while some are owed.
    let timeout: Duration?
    /// Counted from 0: a connection remembers whose step it plays.
    private(set) var number = 0
    var stage = Stage.untouched
    /// When anything last happened in the round's own steps.
    var lastNews = Instant.zero
    /// When to look whether it has been silent for too long. It is late rather than moved with every request, and
    /// outlives a round.
    var alarm: Instant?

    init(repeats: Bool, timeout: Duration?) {
        self.repeats = repeats
        self.timeout = timeout
    }

    mutating func touch(at now: Instant) {
        guard stage == .untouched else { return }
        stage = .underWay
        lastNews = now
        if alarm == nil { alarm = timeout.map { now + $0 } }
    }

    mutating func startOver() {
        number += 1
        stage = .untouched
    }
}

/// Why a round ended that had not come to its end.
package enum Abandonment: Hashable, Sendable {
    /// Nothing happened in its steps for so long.
    case silence(Duration)
    /// The user of the server wanted it.
    case asked
}
