extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        var text: [UInt8] = []
        for byte in self {
            for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? digit + 48 : digit + 87) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension FixedWidthInteger {
    /// All its digits, with zeros in front.
    package var hexadecimal: String { withUnsafeBytes(of: bigEndian, \.hexadecimal) }
}
