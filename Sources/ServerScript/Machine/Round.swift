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

    var stage = Stage.untouched
    /// When anything last happened in the round's own steps.
    var lastNews = Instant.zero

    /// Returns whether it was the first time.
    mutating func touch(at now: Instant) -> Bool {
        guard stage == .untouched else { return false }
        stage = .underWay
        lastNews = now
        return true
    }
}

/// Why a round ended that had not come to its end.
package enum Abandonment: Hashable, Sendable {
    /// Nothing happened in its steps for so long.
    case silence(Duration)
    /// The user of the server wanted it.
    case asked
}
