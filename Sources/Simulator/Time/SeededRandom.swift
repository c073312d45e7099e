/// xoshiro256**, seeded through SplitMix64: fast, repeatable, ours on every platform and toolchain.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// SplitMix64 spreads the seed, so that neighbouring seeds give unrelated streams and 0 is a fine seed.
    package init(seed: UInt64) {
        var mixer = SplitMix(state: seed)
        state = (mixer.next(), mixer.next(), mixer.next(), mixer.next())
    }

    init(state: (UInt64, UInt64, UInt64, UInt64)) { self.state = state }

    package mutating func next() -> UInt64 {
        let result = Self.rotated(state.1 &* 5, by: 7) &* 9
        let carried = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= carried
        state.3 = Self.rotated(state.3, by: 45)
        return result
    }

    /// A number in `0..<bound`; 0 when there is no choice. The bias (below 2^-40 for our bounds) does not matter here.
    package mutating func below(_ bound: Int) -> Int {
        guard bound > 1 else { return 0 }
        return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    package mutating func chance(_ hits: Int, in all: Int) -> Bool { below(all) < hits }

    /// A stream of its own for another purpose: what one part draws must not shift what another part sees.
    package mutating func fork() -> SeededRandom { SeededRandom(seed: next()) }

    private static func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 { word << bits | word >> (64 &- bits) }
}

/// SplitMix64.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
