import Foundation

/// SHA-256 (FIPS 180-4), as pinning code takes it from CryptoKit or CommonCrypto.
enum SHA256Sum {
    static func hash(data: Data) -> Data {
        var message = [UInt8](data) + [0x80]
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        message += withUnsafeBytes(of: UInt64(data.count * 8).bigEndian) { [UInt8]($0) }
        let primes = (2...311).filter { number in !(2..<number).contains { number.isMultiple(of: $0) } }.map(
            Double.init)
        let constants = primes.map { fraction(Foundation.cbrt($0)) }
        var state = primes.prefix(8).map { fraction($0.squareRoot()) }
        for start in stride(from: 0, to: message.count, by: 64) {
            add(message[start..<start + 64], to: &state, constants)
        }
        return Data(state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { [UInt8]($0) } })
    }

    private static func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 4_294_967_296) }

    private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32], _ constants: [UInt32]) {
        let bytes = Array(block)
        var words = (0..<16).map { index in bytes[index * 4..<index * 4 + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let low = turned(early, 7) ^ turned(early, 18) ^ early >> 3
            let high = turned(late, 17) ^ turned(late, 19) ^ late >> 10
            words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
        }
        var turn = state
        for index in 0..<64 {
            let (a, e) = (turn[0], turn[4])
            let choice = e & turn[5] ^ ~e & turn[6]
            let first =
                turn[7] &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice &+ constants[index] &+ words[index]
            let majority = a & turn[1] ^ a & turn[2] ^ turn[1] & turn[2]
            let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
            turn = [first &+ second, a, turn[1], turn[2], turn[3] &+ first, e, turn[5], turn[6]]
        }
        for index in state.indices { state[index] &+= turn[index] }
    }
}
