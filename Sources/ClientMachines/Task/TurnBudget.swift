/// What one turn may still do for a task. A few bytes of a peer's can mean any amount of work; the others on
/// the loop must be heard in between: a cancel, a timer, another session (BEHAVIOUR 2.F28-turn).
///
/// Work is counted in decoded bytes, each worth about a nanosecond.
struct TurnBudget: Equatable {
    static let whole = 1024 * 1024
    /// Of a turn that something from outside begins: many tasks may have one at the same time.
    static let first = whole / 4
    /// What an event costs besides its bytes.
    static let event = 512
    /// What a byte costs on its way into a decoder: it may belong to tables that nothing uses, or to an empty member.
    static let codedByte = 8

    private(set) var left = TurnBudget.first
    /// Another turn was asked for, and has not come.
    private(set) var isYielding = false

    var isUsedUp: Bool { left <= 0 }

    /// - Parameter work: No more than pieces have, a few mebibytes.
    mutating func spend(_ work: Int) { left -= work }

    /// Something happened from outside: a turn of its own, unless another one is awaited.
    mutating func begin() { if !isYielding { left = TurnBudget.first } }

    /// The turn that was asked for.
    mutating func goOn() { (left, isYielding) = (TurnBudget.whole, false) }

    /// True when another turn is to be asked for.
    mutating func yields() -> Bool {
        guard isUsedUp, !isYielding else { return false }
        isYielding = true
        return true
    }
}
