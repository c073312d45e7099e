import HTTPBasics
import NIOCore

/// Reads what a client of SOCKS says, strictly: version 4 with 4a, and version 5 (RFC 1928, RFC 1929). The judge's own:
/// it shares no line with the client.
///
/// Bytes go in as they come; messages are pulled out. The outcome does not depend on how the bytes were split.
package struct SocksReader {
    package enum Message: Hashable, Sendable {
        /// The methods that a client of version 5 knows.
        case greeting(methods: [UInt8])
        case login(user: [UInt8], password: [UInt8])
        case request(Request)
        case malformed(String)
    }

    package struct Request: Hashable, Sendable {
        package var version: Int
        /// As it was written: a name, or an address.
        package var host: String
        package var port: Int
        /// Of version 4 only.
        package var user: [UInt8]
    }

    /// What comes next.
    package enum Expected: Hashable, Sendable { case anything, login, request, nothing }

    /// Version 4 ends its names with a NUL: so far it is looked for.
    private static let mostBytesOfName = 255

    package var expected = Expected.anything
    private var buffer = ByteBuffer()

    package init() {}

    package mutating func receive(_ bytes: ByteBuffer) { buffer.writeImmutableBuffer(bytes) }

    /// What stands behind the last message.
    package mutating func takeRest() -> ByteBuffer {
        defer { buffer.clear() }
        return buffer
    }

    package var bufferedBytes: Int { buffer.readableBytes }

    /// The next message, or nil when more bytes are needed.
    package mutating func next() -> Message? {
        var reader = buffer
        do {
            guard let message = try read(&reader) else { return nil }
            buffer = reader
            return message
        } catch {
            expected = .nothing
            return .malformed(error.text)
        }
    }

    private func read(_ bytes: inout ByteBuffer) throws(Malformed) -> Message? {
        switch expected {
        case .nothing: return nil
        case .login: return try readLogin(&bytes)
        case .request: return try readRequest5(&bytes)
        case .anything:
            guard let version: UInt8 = bytes.getInteger(at: bytes.readerIndex) else { return nil }
            switch version {
            case 4: return try readRequest4(&bytes)
            case 5: return try readGreeting(&bytes)
            default: throw Malformed("SOCKS: the first byte is \(version), which is no version")
            }
        }
    }

    private func readGreeting(_ bytes: inout ByteBuffer) throws(Malformed) -> Message? {
        guard bytes.readInteger(as: UInt8.self) != nil, let count: UInt8 = bytes.readInteger() else { return nil }
        if count == 0 { throw Malformed("SOCKS: a greeting without methods") }
        guard let methods = bytes.readBytes(length: Int(count)) else { return nil }
        if Set(methods).count != methods.count { throw Malformed("SOCKS: a method is offered twice") }
        return .greeting(methods: methods)
    }

    private func readLogin(_ bytes: inout ByteBuffer) throws(Malformed) -> Message? {
        guard let version: UInt8 = bytes.readInteger() else { return nil }
        if version != 1 { throw Malformed("SOCKS: a login of version \(version), not 1") }
        guard let user = try Self.text(&bytes, "user name"), let password = try Self.text(&bytes, nil) else {
            return nil
        }
        return .login(user: user, password: password)
    }

    /// One byte for its length, then the text itself; a nil name may be empty.
    private static func text(_ bytes: inout ByteBuffer, _ name: String?) throws(Malformed) -> [UInt8]? {
        guard let count: UInt8 = bytes.readInteger() else { return nil }
        if count == 0, let name { throw Malformed("SOCKS: the \(name) is empty") }
        return bytes.readBytes(length: Int(count))
    }

    private func readRequest5(_ bytes: inout ByteBuffer) throws(Malformed) -> Message? {
        guard let head = bytes.readBytes(length: 4) else { return nil }
        if head[0] != 5 { throw Malformed("SOCKS: a request of version \(head[0]), not 5") }
        if head[1] != 1 { throw Malformed("SOCKS: command \(head[1]), not CONNECT") }
        if head[2] != 0 { throw Malformed("SOCKS: the reserved byte is \(head[2])") }
        let host: String
        switch head[3] {
        case 1:
            guard let address = bytes.readBytes(length: 4) else { return nil }
            host = address.map(String.init).joined(separator: ".")
        case 3:
            guard let name = try Self.text(&bytes, "host's name") else { return nil }
            host = try Self.name(name)
        case 4:
            guard let address = bytes.readBytes(length: 16) else { return nil }
            let groups = stride(from: 0, to: 16, by: 2).map {
                String(UInt16(address[$0]) << 8 | UInt16(address[$0 + 1]), radix: 16)
            }
            host = groups.joined(separator: ":")
        default: throw Malformed("SOCKS: an address of type \(head[3])")
        }
        guard let port: UInt16 = bytes.readInteger() else { return nil }
        return .request(Request(version: 5, host: host, port: try Self.port(port), user: []))
    }

    private func readRequest4(_ bytes: inout ByteBuffer) throws(Malformed) -> Message? {
        guard let head = bytes.readBytes(length: 8) else { return nil }
        if head[1] != 1 { throw Malformed("SOCKS: command \(head[1]), not CONNECT") }
        let port = try Self.port(UInt16(head[2]) << 8 | UInt16(head[3]))
        guard let user = try Self.terminated(&bytes) else { return nil }
        let address = head[4...]
        // 0.0.0.x with another x than 0: a name follows (4a).
        guard address.prefix(3).allSatisfy({ $0 == 0 }), head[7] != 0 else {
            let host = address.map(String.init).joined(separator: ".")
            return .request(Request(version: 4, host: host, port: port, user: user))
        }
        guard let name = try Self.terminated(&bytes) else { return nil }
        return .request(Request(version: 4, host: try Self.name(name), port: port, user: user))
    }

    private static func terminated(_ bytes: inout ByteBuffer) throws(Malformed) -> [UInt8]? {
        let view = bytes.readableBytesView.prefix(mostBytesOfName + 1)
        guard let end = view.firstIndex(of: 0) else {
            if view.count > mostBytesOfName { throw Malformed("SOCKS: a name over 255 bytes") }
            return nil
        }
        let text = bytes.readBytes(length: end - view.startIndex)
        bytes.moveReaderIndex(forwardBy: 1)
        return text
    }

    private static func name(_ bytes: [UInt8]) throws(Malformed) -> String {
        guard !bytes.isEmpty else { throw Malformed("SOCKS: the host's name is empty") }
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw Malformed("SOCKS: the host's name has other bytes than printable US-ASCII")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func port(_ port: UInt16) throws(Malformed) -> Int {
        if port == 0 { throw Malformed("SOCKS: port 0") }
        return Int(port)
    }
}
