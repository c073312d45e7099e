/// RFC 1320. Broken for every purpose but one: NTLM hashes passwords with it, and libcrypto has it in a provider only
/// that is mostly not there.
package enum MD4 {
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        // 3.1 and 3.2: a bit, zeros, and the length in bits, up to whole blocks of 64 bytes.
        var padded = bytes + [0x80]
        padded += Array(repeating: 0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(bytes.count) &* 8
        for shift in 0..<8 { padded.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * shift))) }
        for start in stride(from: 0, to: padded.count, by: 64) { take(padded[start..<start + 64], into: &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
    }

    /// The order in which a round takes the words of a block, how far it turns, and what it adds.
    private static let rounds: [(order: [Int], turns: [UInt32], constant: UInt32)] = [
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [3, 7, 11, 19], 0),
        ([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15], [3, 5, 9, 13], 0x5A82_7999),
        ([0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15], [3, 9, 11, 15], 0x6ED9_EBA1),
    ]

    private static func take(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        let words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[place + $1]) << UInt32(8 * $1) }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for (number, round) in rounds.enumerated() {
            for (step, word) in round.order.enumerated() {
                let mixed: UInt32 =
                    switch number {
                    case 0: (b & c) | (~b & d)
                    case 1: (b & c) | (b & d) | (c & d)
                    default: b ^ c ^ d
                    }
                let sum = a &+ mixed &+ words[word] &+ round.constant
                let turn = round.turns[step % 4]
                (a, b, c, d) = (d, (sum << turn) | (sum >> (32 - turn)), b, c)
            }
        }
        state = zip(state, [a, b, c, d]).map { $0 &+ $1 }
    }
}
