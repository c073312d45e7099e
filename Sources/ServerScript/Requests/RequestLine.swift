import HTTPBasics

/// `method SP request-target SP HTTP-version` (RFC 9112 3).
struct RequestLine {
    let method: String
    let target: String
    let minorVersion: Int
    /// What a lenient reader has passed over.
    let note: String?

    /// `line` is without its CRLF.
    static func parse(_ line: UnsafeRawBufferPointer, _ reading: Reading) throws(Malformed) -> RequestLine {
        guard !line.isEmpty else { throw Malformed("empty line before the request line") }
        guard let first = line.firstIndex(of: ASCII.space), let last = line.lastIndex(of: ASCII.space), first < last,
            !line[(first + 1)..<last].contains(ASCII.space)
        else { throw Malformed("request line is not method, target and version with one space between") }
        guard first > 0, line[..<first].allSatisfy(ASCII.isTokenCharacter) else {
            throw Malformed("method is not a token")
        }
        let method = String(decoding: line[..<first], as: UTF8.self)
        let minorVersion = try version(line[(last + 1)...])
        let (target, note) = try target(line[(first + 1)..<last], method: method, reading)
        return RequestLine(method: method, target: target, minorVersion: minorVersion, note: note)
    }

    private static func version(_ bytes: some Collection<UInt8>) throws(Malformed) -> Int {
        if bytes.elementsEqual("HTTP/1.1".utf8) { return 1 }
        if bytes.elementsEqual("HTTP/1.0".utf8) { return 0 }
        throw Malformed("version is neither HTTP/1.1 nor HTTP/1.0")
    }

    /// The four forms of RFC 9112 3.2, made of the characters of RFC 3986.
    private static func target(
        _ bytes: some Collection<UInt8>, method: String, _ reading: Reading
    ) throws(Malformed) -> (String, note: String?) {
        guard let first = bytes.first else { throw Malformed("empty request target") }
        let text = String(decoding: bytes, as: UTF8.self)
        var note: String?
        if let mistake = mistake(in: bytes) {
            // A server takes the query of many a client as it comes; the path says what is asked for.
            let path = bytes.prefix { $0 != UInt8(ascii: "?") }
            guard reading == .lenient, mistake.isUsual, path.count < bytes.count, self.mistake(in: path) == nil else {
                throw Malformed(mistake.text)
            }
            note = mistake.text
        }
        let isWhole =
            first == 0x2f || method == "CONNECT" || (text == "*" && method == "OPTIONS") || text.contains("://")
        guard isWhole else { throw Malformed("target is neither a path nor an absolute URL") }
        // Host and port, and nobody's password (RFC 9112 3.2.3).
        if method == "CONNECT", bytes.contains(UInt8(ascii: "@")) {
            throw Malformed("the target of CONNECT holds user information")
        }
        return (text, note)
    }

    /// What is wrong with a target's characters, the worst of it; whether it is what many clients send in a query.
    private static func mistake(in bytes: some Collection<UInt8>) -> (text: String, isUsual: Bool)? {
        var usual: String?
        var due = 0
        for byte in bytes {
            guard byte > 0x20, byte < 0x7f else { return ("target holds byte \(hexadecimal(byte))", false) }
            if due > 0, hexadecimalValue(byte) == nil {
                usual = usual ?? brokenEscape
                due = 0
            }
            switch byte {
            case 0x23: return ("target holds a fragment", false)
            case 0x22, 0x3c, 0x3e, 0x5c, 0x60: return (unencoded(byte), false)
            case 0x5e, 0x7b, 0x7c, 0x7d: usual = usual ?? unencoded(byte)
            case 0x25: due = 2
            default: due = max(0, due - 1)
            }
        }
        return (due > 0 ? brokenEscape : usual).map { ($0, true) }
    }

    private static let brokenEscape = "target holds a broken percent escape"

    private static func unencoded(_ byte: UInt8) -> String {
        "target holds '\(Unicode.Scalar(byte))', which must be percent-encoded"
    }
}

/// `0x0a`, for messages.
func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0x0\(digits)" : "0x\(digits)"
}

func hexadecimalValue(_ byte: UInt8) -> Int? {
    switch byte {
    case 48...57: Int(byte) - 48
    case 65...70: Int(byte) - 55
    case 97...102: Int(byte) - 87
    default: nil
    }
}
