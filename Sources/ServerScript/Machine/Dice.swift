/// Whether a fault with a probability happens. The answer depends on the seed, on the place in the script, and on how
/// often that place was asked before; so neither other places nor the order of connections change it.
struct Dice {
    static let placeLimit = 10_000

    let seed: UInt64
    private var asked: [Int: UInt64] = [:]

    init(seed: UInt64) { self.seed = seed }

    mutating func happens(percent: Int, place: Int) -> Bool { Int(draw(place: place).word % 100) < percent }

    /// How often the place was asked before, and what is drawn for it this time. Clients name places, too: from some
    /// number on all further ones count as one.
    mutating func draw(place: Int) -> (turn: Int, word: UInt64) {
        let place = asked[place] == nil && asked.count >= Dice.placeLimit ? Int.min : place
        let turn = asked[place, default: 0]
        asked[place] = turn &+ 1
        return (Int(clamping: turn), Dice.mix(seed &+ Dice.mix(UInt64(bitPattern: Int64(place)) &+ Dice.mix(turn))))
    }

    /// A word for this place, always the same.
    func word(place: Int) -> UInt64 {
        Dice.mix(seed &+ Dice.mix(UInt64(bitPattern: Int64(place)) &+ 0x7465_6d70_6c61_7465))
    }

    /// SplitMix64's step: every bit of the word has a say in every bit of the result.
    static func mix(_ word: UInt64) -> UInt64 {
        var word = word &+ 0x9e37_79b9_7f4a_7c15
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
