/// Whether a fault with a probability happens. The answer depends on the seed, on the place in the script, and on how
/// often that place was asked before; so neither other places nor the order of connections change it.
struct Dice {
    let seed: UInt64
    private var asked: [Int: UInt64] = [:]

    init(seed: UInt64) { self.seed = seed }

    mutating func happens(percent: Int, place: Int) -> Bool {
        let turn = asked[place, default: 0]
        asked[place] = turn &+ 1
        let word = Dice.mix(seed &+ Dice.mix(UInt64(bitPattern: Int64(place)) &+ Dice.mix(turn)))
        return Int(word % 100) < percent
    }

    /// SplitMix64's step: every bit of the word has a say in every bit of the result.
    private static func mix(_ word: UInt64) -> UInt64 {
        var word = word &+ 0x9e37_79b9_7f4a_7c15
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
