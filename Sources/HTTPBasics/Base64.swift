/// RFC 4648 section 4: the standard alphabet, padded, without line breaks.
package enum Base64 {
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while let first = rest.popFirst() {
            let second = rest.popFirst()
            let third = rest.popFirst()
            output.append(alphabet[Int(first >> 2)])
            output.append(alphabet[Int((first & 3) << 4 | (second ?? 0) >> 4)])
            output.append(second.map { alphabet[Int(($0 & 15) << 2 | (third ?? 0) >> 6)] } ?? padding)
            output.append(third.map { alphabet[Int($0 & 63)] } ?? padding)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Nil for everything that `encode` would not have written.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let input = Array(text.utf8)
        guard input.count.isMultiple(of: 4) else { return nil }
        let padded = input.suffix(2).reversed().prefix { $0 == padding }.count
        var output: [UInt8] = []
        output.reserveCapacity(input.count / 4 * 3)
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in input.dropLast(padded) {
            guard let value = value(of: byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                bits &= (1 << UInt32(bitCount)) - 1
            }
        }
        return bits == 0 ? output : nil
    }

    private static let padding = ASCII.equals
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case 65...90: return byte - 65
        case 97...122: return byte - 71
        case 48...57: return byte + 4
        case UInt8(ascii: "+"): return 62
        case UInt8(ascii: "/"): return 63
        default: return nil
        }
    }
}
