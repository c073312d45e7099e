/// Bytes of one direction of a connection as a line of text, piece by piece. What fields with secrets hold is left out,
/// wherever the pieces divide it; in a body such a line is taken for a field as well.
package struct WireText {
    private static let secretFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie",
    ]
    private static let longestName = 19

    private enum Place: Equatable {
        /// At the beginning of a line, or in what may be a field's name.
        case name(String)
        case elsewhere
        case secret
        /// Behind a secret's line: one that begins with white space goes on with it (RFC 9112 5.2).
        case behindSecret
    }

    private var place = Place.name("")

    package init() {}

    /// The next piece's text; of more than `limit` bytes that may be seen the beginning.
    package mutating func text(_ bytes: some Collection<UInt8>, limit: Int) -> String {
        var text = ""
        var seen = 0
        var hides = false
        for byte in bytes {
            let wasSecret = place == .secret
            step(byte)
            if wasSecret, place == .secret {
                hides = true
                continue
            }
            seen += 1
            guard seen <= limit else { continue }
            if hides { text += "[hidden]" }
            hides = false
            text += WireText.escaped(byte)
        }
        if hides, seen <= limit { text += "[hidden]" }
        return seen <= limit ? text : text + "…"
    }

    private mutating func step(_ byte: UInt8) {
        let isLineEnd = ASCII.isLineEnd(byte)
        switch place {
        case .secret: if isLineEnd { place = .behindSecret }
        case .behindSecret:
            if isLineEnd { return }
            if byte == ASCII.space || byte == ASCII.tab { place = .secret } else { place = WireText.name("", byte) }
        case .name(let name): place = isLineEnd ? .name("") : WireText.name(name, byte)
        case .elsewhere: if isLineEnd { place = .name("") }
        }
    }

    private static func name(_ name: String, _ byte: UInt8) -> Place {
        if byte == ASCII.colon { return secretFields.contains(name) ? .secret : .elsewhere }
        guard ASCII.isTokenCharacter(byte), name.utf8.count < longestName else { return .elsewhere }
        return .name(name + Character(Unicode.Scalar(byte)).lowercased())
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case ASCII.carriageReturn: "\\r"
        case ASCII.lineFeed: "\\n"
        case 92: "\\\\"
        case 32...126: String(Unicode.Scalar(byte))
        default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
