import HTTPBasics

/// What RFC 9112 demands of a request's fields as a whole: one Host, one unambiguous framing.
enum RequestRules {
    static func checkHost(_ fields: Fields, minorVersion: Int) throws(Malformed) {
        guard var host = fields.first("Host") else {
            // RFC 9112 3.2: only HTTP/1.1 requires it.
            if minorVersion == 1 { throw Malformed("no Host") }
            return
        }
        if fields.count("Host") > 1 { throw Malformed("two Host fields") }
        guard host.withUTF8(isAuthority) else { throw Malformed("Host is not a host with an optional port") }
    }

    /// A name or an address, with an optional port behind it.
    private static func isAuthority(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var name = bytes[...]
        if let colon = name.lastIndex(of: ASCII.colon), name.last != UInt8(ascii: "]") {
            let port = name[(colon + 1)...]
            guard port.allSatisfy(ASCII.isDigit), port.count <= 5 else { return false }
            name = name[..<colon]
        }
        guard let first = name.first else { return false }
        if first == UInt8(ascii: "[") {
            let address = name.dropFirst().dropLast()
            return name.last == UInt8(ascii: "]") && address.allSatisfy { $0 > 0x20 && $0 != 0x5d }
        }
        return name.allSatisfy { $0 > 0x20 && $0 < 0x7f && !isDelimiter($0) }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "/", "?", "#", "@", ":", "[", "]", "\\", "\"", "<", ">", "^", "`", "{", "|", "}": true
        default: false
        }
    }

    /// RFC 9112 6.1 to 6.3; every ambiguity that request smuggling lives on is a violation.
    static func framing(
        _ fields: Fields, minorVersion: Int, _ reading: Reading = .strict
    ) throws(Malformed) -> (ReceivedHead.Framing, note: String?) {
        let codings = fields.values("Transfer-Encoding")
        let lengths = fields.values("Content-Length")
        if !codings.isEmpty, !lengths.isEmpty { throw Malformed("Content-Length and Transfer-Encoding together") }
        if let coding = codings.first {
            if codings.count > 1 { throw Malformed("two Transfer-Encoding fields") }
            if minorVersion == 0 { throw Malformed("Transfer-Encoding in an HTTP/1.0 request") }
            guard coding.equalsIgnoringCase("chunked") else { throw Malformed("Transfer-Encoding other than chunked") }
            return (.chunked, nil)
        }
        guard let length = lengths.first else { return (.none, nil) }
        let twice = "two Content-Length fields"
        // RFC 9112 6.3, rule 5: equal ones leave no doubt.
        let isClear = reading == .lenient && lengths.allSatisfy { $0 == length }
        if lengths.count > 1, !isClear { throw Malformed(twice) }
        guard let count = decimal(length) else { throw Malformed("Content-Length is not a number") }
        return (.length(count), lengths.count > 1 ? twice : nil)
    }

    /// Digits only, no sign, no blank; nil also for what does not fit.
    static func decimal(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(text)
    }

    /// RFC 9110 6.5.1: what frames or routes a message may not come late.
    static func checkTrailer(_ field: Fields.Field) throws(Malformed) {
        let banned = ["Content-Length", "Transfer-Encoding", "Host", "Trailer", "Authorization", "Content-Type"]
        if banned.contains(where: field.name.equalsIgnoringCase) { throw Malformed("\(field.name) in the trailers") }
    }
}
