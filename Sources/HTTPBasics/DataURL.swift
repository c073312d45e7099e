/// A `data:` URL, RFC 2397: a media type and bytes, both in the URL itself.
package struct DataURL: Hashable, Sendable {
    /// `text/plain` where the URL names no type, with the charset if it names that. (RFC 2397 adds `charset=us-ascii`;
    /// Foundation does not, and takes no charset for granted.)
    package let mediaType: MediaType
    package let bytes: [UInt8]

    /// Nil for another scheme, and where there is no comma, a malformed escape or malformed base64.
    ///
    /// As browsers do, blanks in base64 are passed over and its padding may be left out (RFC 4648 3.2 lets a user of
    /// base64 say so), and a type that is none counts as not named.
    package init?(_ url: URLReference) {
        guard let scheme = url.scheme, scheme.equalsIgnoringCase("data"), url.host == nil else { return nil }
        let text = url.path + (url.query.map { "?" + $0 } ?? "")
        guard let comma = text.utf8.firstIndex(of: ASCII.comma) else { return nil }
        guard let content = DataURL.unescaped(text.utf8[comma...].dropFirst()) else { return nil }
        var type = PercentEncoding.decoded(text[..<comma])[...]
        let isBase64 = DataURL.takeBase64Mark(from: &type)
        guard let bytes = isBase64 ? DataURL.decodedBase64(content) : content else { return nil }
        self.bytes = bytes
        mediaType = DataURL.mediaType(type)
    }

    private static func mediaType(_ text: Substring) -> MediaType {
        if text.utf8.first == ASCII.semicolon, let known = MediaType(parsing: "text/plain" + text) { return known }
        return MediaType(parsing: text) ?? MediaType("text", "plain")
    }

    /// Takes `;base64` off the end.
    private static func takeBase64Mark(from type: inout Substring) -> Bool {
        guard let semicolon = type.utf8.lastIndex(of: ASCII.semicolon) else { return false }
        guard String(type[semicolon...].dropFirst().trimmingWhitespace).equalsIgnoringCase("base64") else {
            return false
        }
        type = type[..<semicolon]
        return true
    }

    private static func unescaped(_ text: some Collection<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(ASCII.hexValue), let low = rest.popFirst().flatMap(ASCII.hexValue)
            else { return nil }
            output.append(high << 4 | low)
        }
        return output
    }

    private static func decodedBase64(_ content: [UInt8]) -> [UInt8]? {
        let blanks: Set<UInt8> = [9, 10, 12, 13, 32]
        var digits = content.filter { !blanks.contains($0) }
        while !digits.isEmpty, !digits.count.isMultiple(of: 4), digits.count % 4 != 1 {
            digits.append(ASCII.equals)
        }
        return Base64.decode(String(decoding: digits, as: UTF8.self))
    }
}
