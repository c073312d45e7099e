extension URLReference {
    /// Splits by the generic syntax of RFC 3986 section 3.
    ///
    /// Path, query and fragment may hold any byte, as URLs in the wild do: they are kept as written, and
    /// `requestTarget` makes them safe. The authority decides whom we talk to, so there nothing is guessed: spaces,
    /// control characters, backslashes, bad brackets, ports that are not numbers up to 65535 and stray delimiters in
    /// the host make the whole reference nil.
    package init?(_ string: String) {
        var string = string
        let parsed = string.withUTF8 { bytes -> URLReference? in
            var parser = URLParser(bytes: bytes)
            return parser.parse()
        }
        guard let parsed else { return nil }
        self = parsed
    }
}

/// One walk over the bytes of a URI reference.
private struct URLParser {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func parse() -> URLReference? {
        var result = URLReference()
        result.scheme = scheme()
        if position &+ 1 < bytes.count, bytes[position] == .slash, bytes[position &+ 1] == .slash {
            position += 2
            guard authority(into: &result) else { return nil }
        }
        result.path = component { $0 == .questionMark || $0 == .numberSign }
        if take(.questionMark) { result.query = component { $0 == .numberSign } }
        if take(.numberSign) { result.fragment = component { _ in false } }
        return result
    }

    /// Leaves the position at the start when the text does not begin with a scheme.
    private mutating func scheme() -> String? {
        guard let first = bytes.first, ASCII.isLetter(first) else { return nil }
        var end = 1
        while end < bytes.count, ASCII.isSchemeCharacter(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] == ASCII.colon else { return nil }
        position = end + 1
        return text(0..<end)
    }

    private mutating func authority(into result: inout URLReference) -> Bool {
        var hostStart = position
        var end = position
        scan: while end < bytes.count {
            switch bytes[end] {
            case .slash, .questionMark, .numberSign: break scan
            // Browsers read a backslash as a slash: what is our host would not be theirs.
            case 0...ASCII.space, 127, .backslash: return false
            // The last "@": RFC 3986 allows one only, and browsers and curl agree on the last.
            case .commercialAt: hostStart = end + 1
            default: break
            }
            end += 1
        }
        if hostStart > position { result.userInformation = text(position..<hostStart - 1) }
        position = end
        guard let hostEnd = host(in: hostStart..<end, into: &result) else { return false }
        return port(in: hostEnd..<end, into: &result)
    }

    /// Where the host ends, nil when it is no host.
    private func host(in range: Range<Int>, into result: inout URLReference) -> Int? {
        guard !range.isEmpty, bytes[range.lowerBound] == .leftBracket else {
            let end = bytes[range].firstIndex(of: ASCII.colon) ?? range.upperBound
            let name = range.lowerBound..<end
            guard !bytes[name].contains(where: isForbiddenInHost) else { return nil }
            result.host = text(name)
            return end
        }
        guard let bracket = bytes[range].firstIndex(of: .rightBracket) else { return nil }
        let literal = range.lowerBound + 1..<bracket
        guard isAddressLiteral(bytes[literal]) else { return nil }
        result.host = text(literal)
        return bracket + 1
    }

    /// An empty port is allowed and means none (RFC 3986 3.2.3).
    private func port(in range: Range<Int>, into result: inout URLReference) -> Bool {
        guard !range.isEmpty else { return true }
        guard bytes[range.lowerBound] == ASCII.colon else { return false }
        let digits = bytes[range.dropFirst()]
        guard !digits.isEmpty else { return true }
        guard let port = DecimalNumber.parse(digits), port <= 65535 else { return false }
        result.port = Int(port)
        return true
    }

    /// IPv6 as far as characters go, with an optional zone (RFC 6874). The resolver judges the rest; the future
    /// address forms of RFC 3986 do not exist in practice and are refused.
    private func isAddressLiteral(_ literal: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let address = literal.prefix { $0 != .percent }
        let zone = literal[address.endIndex...]
        return address.contains(ASCII.colon)
            && address.allSatisfy { ASCII.isHexDigit($0) || $0 == ASCII.colon || $0 == .fullStop }
            && !zone.contains(where: isForbiddenInHost)
    }

    private func isForbiddenInHost(_ byte: UInt8) -> Bool {
        switch byte {
        // " < > [ \ ] ^ ` { | }
        case 34, 60, 62, 91...94, 96, 123...125: return true
        default: return false
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    @inline(__always)
    private mutating func component(until isEnd: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
        return text(start..<position)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate static let numberSign: UInt8 = 35
    fileprivate static let percent: UInt8 = 37
    fileprivate static let fullStop: UInt8 = 46
    fileprivate static let slash: UInt8 = 47
    fileprivate static let questionMark: UInt8 = 63
    fileprivate static let commercialAt: UInt8 = 64
    fileprivate static let leftBracket: UInt8 = 91
    fileprivate static let backslash: UInt8 = 92
    fileprivate static let rightBracket: UInt8 = 93
}
