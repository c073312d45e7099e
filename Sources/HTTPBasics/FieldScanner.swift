/// Reads the building blocks of structured field values, RFC 9110 5.6, from left to right. Never fails, never traps:
/// what is not there is nil.
struct FieldScanner {
    private let bytes: [UInt8]
    var position = 0
    /// A quoted-string has reached the end.
    private(set) var hasOpenQuote = false

    init(_ value: some StringProtocol) { bytes = Array(value.utf8) }

    var isAtEnd: Bool { position >= bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func skipBlanks() {
        while let byte = next, byte == ASCII.space || byte == ASCII.tab { position += 1 }
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    mutating func token() -> String? { word(of: ASCII.isTokenCharacter) }

    /// The longest run of such bytes, nil when there is none.
    mutating func word(of belongs: (UInt8) -> Bool) -> String? {
        let start = position
        while let byte = next, belongs(byte) { position += 1 }
        return position > start ? text(start..<position) : nil
    }

    /// The content of a quoted-string, quoted pairs resolved. One that never closes reaches to the end.
    mutating func quotedString() -> String? {
        guard take("\"") else { return nil }
        var content: [UInt8] = []
        while let byte = next {
            position += 1
            if byte == ASCII.quote { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), let escaped = next {
                position += 1
                content.append(escaped)
            } else {
                content.append(byte)
            }
        }
        hasOpenQuote = true
        return String(decoding: content, as: UTF8.self)
    }

    /// What follows the "=" of a parameter: a quoted-string, or all up to the next blank or separator
    /// (servers forget the quotes).
    mutating func parameterValue(endingAt separators: [UInt8]) -> String? {
        if let quoted = quotedString() { return quoted }
        return word { $0 != ASCII.space && $0 != ASCII.tab && !separators.contains($0) }
    }

    /// Goes on to the next separator outside quotes, or to the end.
    mutating func skip(to separator: UInt8) {
        while let byte = next, byte != separator {
            if byte == ASCII.quote { _ = quotedString() } else { position += 1 }
        }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
