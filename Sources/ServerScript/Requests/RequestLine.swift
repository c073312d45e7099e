import HTTPBasics
import NIOCore

/// `method SP request-target SP HTTP-version` (RFC 9112 3), read without leniency.
struct RequestLine {
    let method: String
    let target: String
    let minorVersion: Int

    static func parse(_ line: ByteBuffer) throws(Malformed) -> RequestLine {
        try line.withUnsafeReadableBytes { bytes throws(Malformed) in try parse(bytes) }
    }

    private static func parse(_ line: UnsafeRawBufferPointer) throws(Malformed) -> RequestLine {
        guard !line.isEmpty else { throw Malformed("empty line before the request line") }
        guard let first = line.firstIndex(of: ASCII.space), let last = line.lastIndex(of: ASCII.space), first < last,
            !line[(first + 1)..<last].contains(ASCII.space)
        else { throw Malformed("request line is not method, target and version with one space between") }
        guard first > 0, line[..<first].allSatisfy(ASCII.isTokenCharacter) else {
            throw Malformed("method is not a token")
        }
        let method = String(decoding: line[..<first], as: UTF8.self)
        let minorVersion = try version(line[(last + 1)...])
        let target = try target(line[(first + 1)..<last], method: method)
        return RequestLine(method: method, target: target, minorVersion: minorVersion)
    }

    private static func version(_ bytes: some Collection<UInt8>) throws(Malformed) -> Int {
        if bytes.elementsEqual("HTTP/1.1".utf8) { return 1 }
        if bytes.elementsEqual("HTTP/1.0".utf8) { return 0 }
        throw Malformed("version is neither HTTP/1.1 nor HTTP/1.0")
    }

    /// The four forms of RFC 9112 3.2, made of the characters of RFC 3986.
    private static func target(_ bytes: some Collection<UInt8>, method: String) throws(Malformed) -> String {
        guard let first = bytes.first else { throw Malformed("empty request target") }
        for byte in bytes {
            guard byte > 0x20, byte < 0x7f else { throw Malformed("target holds byte \(hexadecimal(byte))") }
            switch byte {
            case 0x23: throw Malformed("target holds a fragment")
            case 0x22, 0x3c, 0x3e, 0x5c, 0x5e, 0x60, 0x7b, 0x7c, 0x7d:
                throw Malformed("target holds '\(Unicode.Scalar(byte))', which must be percent-encoded")
            default: continue
            }
        }
        try checkEscapes(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        let isWhole =
            first == 0x2f || method == "CONNECT" || (text == "*" && method == "OPTIONS") || text.contains("://")
        guard isWhole else { throw Malformed("target is neither a path nor an absolute URL") }
        return text
    }

    private static func checkEscapes(_ bytes: some Collection<UInt8>) throws(Malformed) {
        var due = 0
        for byte in bytes {
            if due > 0 {
                guard hexadecimalValue(byte) != nil else { throw Malformed("target holds a broken percent escape") }
                due -= 1
            } else if byte == 0x25 {
                due = 2
            }
        }
        guard due == 0 else { throw Malformed("target holds a broken percent escape") }
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
