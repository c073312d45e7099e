/// What a number of the peer's becomes: where types end, and forms that are none.
package enum NumberEdge: String, Hashable, Sendable, CaseIterable {
    case zero = "0"
    case one = "1"
    case mostInt32 = "2^31-1"
    case overInt32 = "2^31"
    case mostUInt32 = "2^32-1"
    case overUInt32 = "2^32"
    /// Where a `Double` leaves out numbers.
    case overDouble = "2^53"
    case mostInt64 = "2^63-1"
    case overInt64 = "2^63"
    case overUInt64 = "2^64"
    case thirtyDigits = "30-digits"
    case oneLess = "one-less"
    case oneMore = "one-more"
    case negative, signed, hex, spaced, empty

    /// - Parameters:
    ///   - number: What stands there, in digits of the radix.
    ///   - radix: 10, or 16 as for the sizes of chunks.
    package func text(of number: String, radix: Int = 10) -> String {
        func power(_ exponent: UInt64, less: UInt64 = 0) -> String { String((1 << exponent) - less, radix: radix) }
        switch self {
        case .zero, .one: return rawValue
        case .mostInt32: return power(31, less: 1)
        case .overInt32: return power(31)
        case .mostUInt32: return power(32, less: 1)
        case .overUInt32: return power(32)
        case .overDouble: return power(53)
        case .mostInt64: return power(63, less: 1)
        case .overInt64: return power(63)
        case .overUInt64: return radix == 16 ? "10000000000000000" : "18446744073709551616"
        case .thirtyDigits: return String(repeating: "123456789", count: 3) + "123"
        case .oneLess: return neighbour(of: number, radix) { $0 > 0 ? $0 - 1 : $0 }
        case .oneMore: return neighbour(of: number, radix) { $0 + 1 }
        case .negative: return "-\(number)"
        case .signed: return "+\(number)"
        case .hex: return "0x\(number)"
        case .spaced: return " \(number) \(number)"
        case .empty: return ""
        }
    }

    private func neighbour(of number: String, _ radix: Int, _ step: (UInt64) -> UInt64) -> String {
        guard let value = UInt64(number, radix: radix), value < 1 << 62 else { return number }
        return String(step(value), radix: radix)
    }
}
