/// Bytes of one direction of a connection as a line of text, piece by piece, without secrets.
package struct WireText {
    private var scanner = SecretScanner(.wire)
    private var login: SocksLogin

    /// - Parameter login: How far a client that may speak SOCKS is.
    package init(login: SocksLogin = SocksLogin()) { self.login = login }

    /// The next piece's text; of more than `limit` bytes that may be seen the beginning.
    package mutating func text(_ bytes: some Collection<UInt8>, limit: Int) -> String {
        let bytes = Array(bytes)
        var text = ""
        var left = limit, end = 0
        for secret in secrets(in: bytes) + [bytes.count..<bytes.count] {
            for byte in bytes[end..<secret.lowerBound].prefix(left) { text += WireText.escaped(byte) }
            left -= secret.lowerBound - end
            if left < 0 { return text + "…" }
            if !secret.isEmpty { text += Secrets.mark }
            end = secret.upperBound
        }
        return text
    }

    private mutating func secrets(in bytes: [UInt8]) -> [Range<Int>] {
        let found = scanner.secrets(in: bytes)
        let passwords = login.secrets(in: bytes)
        guard !passwords.isEmpty else { return found }
        var all: [Range<Int>] = []
        for range in (found + passwords).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = all.last, last.upperBound >= range.lowerBound {
                all[all.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                all.append(range)
            }
        }
        return all
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
