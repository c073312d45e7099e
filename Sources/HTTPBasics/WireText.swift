/// Bytes of one direction of a connection as a line of text, piece by piece, without secrets.
package struct WireText {
    private var scanner = SecretScanner(.wire)

    package init() {}

    /// The next piece's text; of more than `limit` bytes that may be seen the beginning.
    package mutating func text(_ bytes: some Collection<UInt8>, limit: Int) -> String {
        let bytes = Array(bytes)
        var text = ""
        var left = limit, end = 0
        for secret in scanner.secrets(in: bytes) + [bytes.count..<bytes.count] {
            for byte in bytes[end..<secret.lowerBound].prefix(left) { text += WireText.escaped(byte) }
            left -= secret.lowerBound - end
            if left < 0 { return text + "…" }
            if !secret.isEmpty { text += Secrets.mark }
            end = secret.upperBound
        }
        return text
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
