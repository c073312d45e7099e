import HTTPBasics
import NIOCore

/// Writes a request's head into one buffer that has room for its body.
package enum RequestWriter {
    /// Bodies up to this size are expected to be appended, so that head and body leave in one write.
    private static let appendableBodyBytes = 64 * 1024
    /// Far above what any server takes, far below what one buffer can hold.
    private static let mostHeadBytes = 16 * 1024 * 1024

    /// The whole head with its empty line. `authorization` is our own answer to a challenge and replaces the caller's;
    /// `cookies` are the session's, and do the same (BEHAVIOUR 2.C7).
    ///
    /// Order: Host, our defaults, the caller's fields, the session's, what describes the body, Connection. Of two
    /// sources the request wins over the session's fields and these over the defaults (BEHAVIOUR 2.F13).
    ///
    /// - Parameters:
    ///   - forwarder: What the proxy is told that sends the request on (BEHAVIOUR 2.E3). Without one, what the caller
    ///     or the session means for a proxy goes to nobody: a server has no business with it (BEHAVIOUR 2.A41-own).
    package static func head(
        of request: ClientRequest, settings: ClientSettings, authorization: String?, cookies: String? = nil,
        isPastCaches: Bool = false, forwarder: ForwarderFields? = nil
    ) -> ByteBuffer {
        var head = HeadBuffer(capacity: capacity(for: request, settings))
        head.write(token: request.method)
        head.write(" ")
        if forwarder != nil { head.write(schemeAndAuthorityOf: request.url) }
        head.write(targetOf: request.url)
        head.write(" HTTP/1.1\r\n")

        let own = request.fields
        let additional = settings.additionalFields
        let isBodyEmpty = request.isBodyEmpty, isSecure = CookieAcceptance.isSecure(request.url)
        if let host = own.first("Host") ?? additional.first("Host") {
            head.write("Host", host)
        } else {
            head.write(hostOf: request.url)
        }
        if own.isEmpty && additional.isEmpty && authorization == nil {
            head.write(lines: settings.defaultFields.lines(isSecure: isSecure))
        } else {
            for field in settings.defaultFields.fields(isSecure: isSecure).list
            where isPassedOn(field.name, authorization, isBodyEmpty) && !own.contains(field.name)
                && !additional.contains(field.name)
            {
                head.write(field.name, field.value)
            }
        }
        let hidesCredential = forwarder.map { $0.authorization != nil || $0.isSignedIn } ?? true
        func isReplaced(_ name: String) -> Bool {
            isHidden(name, hidesCredential) || cookies != nil && isCookie(name)
        }
        for field in own.list where isPassedOn(field.name, authorization, isBodyEmpty) && !isReplaced(field.name) {
            head.write(field.name, field.value)
        }
        for field in additional.list
        where isPassedOn(field.name, authorization, isBodyEmpty) && !own.contains(field.name) && isToken(field.name)
            && !isReplaced(field.name)
        {
            head.write(field.name, field.value)
        }
        if let cookies { head.write("Cookie", cookies) }
        if let authorization { head.write("Authorization", authorization) }
        if isPastCaches { writeCacheFields(of: request, settings, to: &head) }
        if let forwarder {
            if let authorization = forwarder.authorization { head.write("Proxy-Authorization", authorization) }
            head.write("Proxy-Connection: keep-alive\r\n")
        }
        writeBodyFields(of: request, settings, to: &head)
        head.write("Connection: keep-alive\r\n\r\n")
        return head.buffer
    }

    /// What a proxy is asked for a tunnel: nothing of what is meant for the server (BEHAVIOUR 2.E4-clear).
    package static func connect(to origin: Origin, _ settings: ClientSettings, authorization: String?) -> ByteBuffer {
        var head = HeadBuffer(capacity: 256)
        let authority = connectTarget(of: origin)
        head.write("CONNECT ")
        head.write(escaping: authority)
        head.write(" HTTP/1.1\r\n")
        head.write("Host", authority)
        if let agent = settings.defaultFields.fields.first("User-Agent") { head.write("User-Agent", agent) }
        if let authorization { head.write("Proxy-Authorization", authorization) }
        head.write("Proxy-Connection: keep-alive\r\nConnection: keep-alive\r\n\r\n")
        return head.buffer
    }

    /// With its port in any case (RFC 9110 9.3.6). A zone identifier means nothing to others (RFC 6874 4).
    package static func connectTarget(of origin: Origin) -> String {
        let host = origin.host.contains(":") ? "[\(origin.host.prefix { $0 != "%" })]" : origin.host
        return "\(host):\(origin.port)"
    }

    /// What is for a proxy: of Proxy-Connection ours alone, where there is one.
    private static func isHidden(_ name: String, _ hidesCredential: Bool) -> Bool {
        switch name.utf8.count {
        case 16: return name.equalsIgnoringCase("Proxy-Connection")
        case 19: return hidesCredential && name.equalsIgnoringCase("Proxy-Authorization")
        default: return false
        }
    }

    /// What the request line names; for a proxy all of the URL (RFC 9112 3.2.2).
    package static func target(of url: URLReference, isAbsolute: Bool = false) -> String {
        var target = HeadBuffer(capacity: 3 * url.path.utf8.count)
        if isAbsolute { target.write(schemeAndAuthorityOf: url) }
        target.write(targetOf: url)
        return String(buffer: target.buffer)
    }

    /// Fields as they stand in a head, but for those that a request writes itself.
    static func lines(of fields: Fields) -> ByteBuffer {
        var lines = HeadBuffer(capacity: 0)
        for field in fields.list where isPassedOn(field.name, nil, false) { lines.write(field.name, field.value) }
        return lines.buffer
    }

    /// Why a request cannot be sent at all; nil when it can.
    package static func refusal(
        for request: ClientRequest, _ additional: Fields = Fields()
    ) -> (kind: Failure.Kind, detail: String)? {
        guard let scheme = request.url.scheme else { return (.unsupportedURL, "The URL has no scheme.") }
        guard Origin.defaultPort(of: scheme) != nil else {
            return (.unsupportedURL, "URLs with the scheme '\(scheme)' are not supported yet.")
        }
        guard let host = request.url.host, !host.isEmpty else { return (.badURL, "The URL names no host.") }
        if let port = request.url.port, !(0...65535 ~= port) { return (.badURL, "There is no port \(port).") }
        // BEHAVIOUR 2.F15-large.
        if request.headBytes + additional.lineBytes > mostHeadBytes {
            return (.dataLengthExceedsMaximum, "URL and fields of the request have more than \(mostHeadBytes) bytes.")
        }
        guard isToken(request.method) else { return (.cannotParseResponse, "The method is no token (RFC 9110 5.6.2).") }
        // BEHAVIOUR 2.F15.
        for field in request.fields.list where !isToken(field.name) {
            return (.cannotParseResponse, "The name of a field is no token (RFC 9110 5.6.2).")
        }
        // BEHAVIOUR 2.F15-value.
        for field in request.fields.list where !isValue(field.value) {
            return (.cannotParseResponse, "The value of '\(field.name)' has a line end or a NUL (RFC 9110 5.5).")
        }
        // BEHAVIOUR 2.F17; empty data counts as no body (BEHAVIOUR 1.E2), and a stream is asked for first (1.B5-get).
        if request.method == "GET", !request.isBodyEmpty, request.body != .stream(.awaited) {
            return (.dataLengthExceedsMaximum, "A GET carries no body.")
        }
        return nil
    }

    // MARK: Fields

    /// False for fields that are written from what is known better than by the caller: a second length or transfer
    /// coding would let the peers disagree about where the request ends (BEHAVIOUR 2.F14). And for an expectation
    /// without a body that it is about (BEHAVIOUR 1.I2-empty).
    private static func isPassedOn(_ name: String, _ authorization: String?, _ isBodyEmpty: Bool) -> Bool {
        switch name.utf8.count {
        case 4: return !name.equalsIgnoringCase("Host")
        case 6: return !isBodyEmpty || !name.equalsIgnoringCase("Expect")
        case 10: return !name.equalsIgnoringCase("Connection")
        case 13: return authorization == nil || !name.equalsIgnoringCase("Authorization")
        case 14: return !name.equalsIgnoringCase("Content-Length")
        case 17: return !name.equalsIgnoringCase("Transfer-Encoding")
        default: return true
        }
    }

    /// For caches of HTTP/1.0 as well, which know only the older field (RFC 9111 5.4).
    private static func writeCacheFields(
        of request: ClientRequest, _ settings: ClientSettings, to head: inout HeadBuffer
    ) {
        for name in ["Cache-Control", "Pragma"]
        where !request.fields.contains(name) && !settings.additionalFields.contains(name) {
            head.write(name, "no-cache")
        }
    }

    private static func isCookie(_ name: String) -> Bool { name.equalsIgnoringCase("Cookie") }

    /// BEHAVIOUR 1.I1.
    private static func writeBodyFields(
        of request: ClientRequest, _ settings: ClientSettings, to head: inout HeadBuffer
    ) {
        if request.isBodyEmpty {
            switch request.method {
            case "POST", "PUT", "PATCH": head.write("Content-Length: 0\r\n")
            default: break
            }
            return
        }
        let name = "Content-Type"
        let isTyped =
            request.method != "POST" || request.fields.contains(name) || settings.additionalFields.contains(name)
            || settings.defaultFields.fields.contains(name)
        if !isTyped { head.write("Content-Type: application/x-www-form-urlencoded\r\n") }
        if let length = request.bodyLength {
            head.write("Content-Length", length.description)
        } else {
            head.write("Transfer-Encoding: chunked\r\n")
        }
    }

    private static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 != 0 && !ASCII.isLineEnd($0) }
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(ASCII.isTokenCharacter)
    }

    /// Enough for the whole head unless its target needs much escaping, so that nothing is moved while writing.
    private static func capacity(for request: ClientRequest, _ settings: ClientSettings) -> Int {
        let bytes =
            160 + request.headBytes + settings.additionalFields.lineBytes
            + settings.defaultFields.lines(isSecure: true).readableBytes
        guard case .bytes(let buffer) = request.body else { return bytes }
        let body = buffer.readableBytes
        return body <= appendableBodyBytes ? bytes + body : bytes
    }
}

extension ClientRequest {
    /// What its own parts take in a head that needs no escaping.
    fileprivate var headBytes: Int {
        method.utf8.count + url.path.utf8.count + (url.query?.utf8.count ?? 0) + (url.host?.utf8.count ?? 0)
            + fields.lineBytes
    }
}

extension Fields {
    /// What they take as lines.
    fileprivate var lineBytes: Int {
        list.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }
}

/// The one place that puts a caller's text on the wire, and so keeps line ends out of it.
private struct HeadBuffer {
    private(set) var buffer: ByteBuffer

    init(capacity: Int) { buffer = ByteBufferAllocator().buffer(capacity: capacity) }

    mutating func write(_ text: StaticString) { buffer.writeStaticString(text) }

    mutating func write(lines: ByteBuffer) { buffer.writeImmutableBuffer(lines) }

    mutating func write(_ name: String, _ value: String) {
        let start = buffer.writerIndex
        buffer.writeString(name)
        buffer.writeInteger(0x3A20 as UInt16)
        buffer.writeString(value)
        blankLineEnds(from: start)
        buffer.writeInteger(0x0D0A as UInt16)
    }

    /// What is no token character is left out; `RequestWriter.refusal` has seen to it that nothing is.
    mutating func write(token: String) {
        for byte in token.utf8 where ASCII.isTokenCharacter(byte) { buffer.writeInteger(byte) }
    }

    /// Origin form (RFC 9112 3.2.1): no fragment, no user information (BEHAVIOUR 2.A20).
    mutating func write(targetOf url: URLReference) {
        if !url.path.utf8.starts(with: "/".utf8) { write("/") }
        write(escaping: url.path)
        guard let query = url.query else { return }
        write("?")
        write(escaping: query)
    }

    mutating func write(schemeAndAuthorityOf url: URLReference) {
        write(escaping: (url.scheme ?? "http").lowercased())
        write("://")
        write(authorityOf: url)
    }

    mutating func write(hostOf url: URLReference) {
        write("Host: ")
        write(authorityOf: url)
        buffer.writeInteger(0x0D0A as UInt16)
    }

    /// The port only when it is not the scheme's own. A zone identifier means nothing to the server (RFC 6874 4).
    @inline(__always) private mutating func write(authorityOf url: URLReference) {
        let host = url.host ?? ""
        if host.utf8.contains(ASCII.colon) {
            write("[")
            write(escaping: host.prefix { $0 != "%" })
            write("]")
        } else {
            write(escaping: host)
        }
        if let port = url.port, port != Origin.defaultPort(of: url.scheme ?? "http") {
            write(":")
            buffer.writeString(String(port))
        }
    }

    /// Percent-encodes what cannot stand in a URL on the wire: anything but printable US-ASCII, and space.
    mutating func write(escaping text: some StringProtocol) {
        if text.utf8.allSatisfy({ $0 &- 33 < 94 }) {
            buffer.writeSubstring(Substring(text))
            return
        }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 3 * text.utf8.count) { output in
            var end = 0
            for byte in text.utf8 {
                if byte &- 33 < 94 {
                    output[end] = byte
                    end += 1
                } else {
                    output[end] = UInt8(ascii: "%")
                    output[end + 1] = Self.hexadecimal(byte >> 4)
                    output[end + 2] = Self.hexadecimal(byte & 15)
                    end += 3
                }
            }
            return end
        }
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 { digit < 10 ? digit + 48 : digit + 55 }

    /// A CR, LF or NUL in a value would end the field, or the whole head, early: each becomes a space (RFC 9110 5.5).
    private mutating func blankLineEnds(from start: Int) {
        let offset = start - buffer.readerIndex
        buffer.withUnsafeMutableReadableBytes { bytes in
            for index in offset..<bytes.count where bytes[index] < 14 {
                switch bytes[index] {
                case 0, ASCII.carriageReturn, ASCII.lineFeed: bytes[index] = ASCII.space
                default: continue
                }
            }
        }
    }
}
