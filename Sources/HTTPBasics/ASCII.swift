/// Byte-wise helpers for the parts of HTTP that are defined over US-ASCII.
///
/// Inlinable, because other modules ask them about every byte that they read.
@usableFromInline
package enum ASCII {
    @inlinable package static var carriageReturn: UInt8 { 13 }
    @inlinable package static var lineFeed: UInt8 { 10 }
    @inlinable package static var space: UInt8 { 32 }
    @inlinable package static var tab: UInt8 { 9 }
    @inlinable package static var comma: UInt8 { 44 }
    @inlinable package static var colon: UInt8 { 58 }
    @inlinable package static var semicolon: UInt8 { 59 }
    @inlinable package static var equals: UInt8 { 61 }
    @inlinable package static var quote: UInt8 { 34 }

    @inlinable package static func isLineEnd(_ byte: UInt8) -> Bool { byte == carriageReturn || byte == lineFeed }

    @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }

    /// The same of all letters of a text; those beyond US-ASCII stay as they are.
    package static func lowercased(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 &- 65 < 26 }) else { return String(text) }
        return String(decoding: text.utf8.map { lowercased($0) }, as: UTF8.self)
    }

    @inlinable package static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

    @inlinable package static func isLetter(_ byte: UInt8) -> Bool { lowercased(byte) &- 97 < 26 }

    @inlinable package static func isHexDigit(_ byte: UInt8) -> Bool { hexValue(byte) != nil }

    @inlinable package static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: return byte - 48
        case 65...70: return byte - 55
        case 97...102: return byte - 87
        default: return nil
        }
    }

    /// After the first letter (RFC 3986 3.1).
    @inlinable package static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == 43 || byte == 45 || byte == 46
    }

    /// `tchar` of RFC 9110 5.6.2.
    @inlinable package static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: return true
        case 33, 35, 36, 37, 38, 39, 42, 43, 45, 46, 94, 95, 96, 124, 126: return true
        default: return false
        }
    }
}

extension Sequence<UInt8> {
    /// Nothing in it lies beyond US-ASCII.
    @inlinable package var isASCII: Bool { allSatisfy { $0 < 0x80 } }
}

extension StringProtocol {
    /// Equality that ignores the case of ASCII letters only, as field names and schemes need.
    @inlinable
    package func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
        let left = utf8, right = other.utf8
        guard left.count == right.count else { return false }
        return left.elementsEqual(right) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    /// Without leading and trailing spaces and tabs (OWS of RFC 9110 5.6.3).
    @inlinable
    package var trimmingWhitespace: SubSequence {
        let bytes = utf8
        let start = bytes.firstIndex { $0 != ASCII.space && $0 != ASCII.tab } ?? bytes.startIndex
        var end = start, index = start
        while index != bytes.endIndex {
            let byte = bytes[index]
            index = bytes.index(after: index)
            if byte != ASCII.space, byte != ASCII.tab { end = index }
        }
        return self[start..<end]
    }
}
