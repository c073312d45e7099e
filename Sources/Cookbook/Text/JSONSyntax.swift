import HTTPBasics

/// Whether bytes are one JSON text (RFC 8259), no deeper than 64 levels.
struct JSONSyntax {
    private static let depthLimit = 64

    private var rest: ArraySlice<UInt8>

    static func holds(_ bytes: [UInt8]) -> Bool {
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        var syntax = JSONSyntax(rest: bytes[...])
        guard syntax.value(depth: 0) else { return false }
        syntax.skipBlanks()
        return syntax.rest.isEmpty
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == ASCII.space || $0 == ASCII.tab || ASCII.isLineEnd($0) }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        guard depth < JSONSyntax.depthLimit else { return false }
        skipBlanks()
        switch rest.first {
        case UInt8(ascii: "{"): return members(depth: depth)
        case UInt8(ascii: "["): return elements(depth: depth)
        case ASCII.quote: return text()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func word(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    private mutating func members(depth: Int) -> Bool {
        rest.removeFirst()
        skipBlanks()
        if take(UInt8(ascii: "}")) { return true }
        repeat {
            skipBlanks()
            guard text() else { return false }
            skipBlanks()
            guard take(ASCII.colon), value(depth: depth + 1) else { return false }
            skipBlanks()
        } while take(ASCII.comma)
        return take(UInt8(ascii: "}"))
    }

    private mutating func elements(depth: Int) -> Bool {
        rest.removeFirst()
        skipBlanks()
        if take(UInt8(ascii: "]")) { return true }
        repeat {
            guard value(depth: depth + 1) else { return false }
            skipBlanks()
        } while take(ASCII.comma)
        return take(UInt8(ascii: "]"))
    }

    private mutating func text() -> Bool {
        guard take(ASCII.quote) else { return false }
        while let byte = rest.popFirst() {
            if byte == ASCII.quote { return true }
            if byte < 0x20 { return false }
            guard byte == UInt8(ascii: "\\") else { continue }
            guard let escaped = rest.popFirst() else { return false }
            if "\"\\/bfnrt".utf8.contains(escaped) { continue }
            guard escaped == UInt8(ascii: "u"), rest.count >= 4, rest.prefix(4).allSatisfy(ASCII.isHexDigit) else {
                return false
            }
            rest = rest.dropFirst(4)
        }
        return false
    }

    private mutating func number() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { guard digits() else { return false } }
        if take(UInt8(ascii: ".")) { guard digits() else { return false } }
        guard take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) else { return true }
        _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
        return digits()
    }

    private mutating func digits() -> Bool {
        let digits = rest.prefix(while: ASCII.isDigit)
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }
}
