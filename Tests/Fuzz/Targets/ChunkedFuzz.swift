import ClientMachines
import HTTPBasics
import NIOCore
import ServerScript

/// Chunked bodies, for both readers: the client's is lenient, the server's is strict, and they share no code.
enum ChunkedFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        var bodies: [ByteBuffer?] = []
        for arrival in Arrival.all(of: bytes) {
            let lenient = try clientBody(arrival.pieces), strict = try serverBody(arrival.pieces)
            try demand(lenient, equals: bodies.first ?? lenient, "the client reads differently \(arrival)")
            try demand(strict, equals: bodies.last ?? strict, "the server reads differently \(arrival)")
            bodies = [lenient, strict]
            // A client counts the digits, leading zeros among them (BEHAVIOUR 2.I28).
            guard let strict, !hasLongNumber(bytes) else { continue }
            try demand(lenient, equals: strict, "the server accepts a body that the client does not")
        }
        for size in [1, 5, 16, 4096] {
            let written = chunked(bytes, size: size)
            try demand(clientBody([written]), equals: bytes, "the client does not read what was chunked by \(size)")
            try demand(serverBody([written]), equals: bytes, "the server does not read what was chunked by \(size)")
        }
    }

    private static func hasLongNumber(_ bytes: ByteBuffer) -> Bool {
        var digits = 0
        for byte in bytes.readableBytesView {
            digits = ASCII.isHexDigit(byte) ? digits + 1 : 0
            if digits > 16 { return true }
        }
        return false
    }

    private static func chunked(_ bytes: ByteBuffer, size: Int) -> ByteBuffer {
        var written = ByteBuffer()
        var rest = bytes
        while let chunk = rest.readSlice(length: min(size, rest.readableBytes)), chunk.readableBytes > 0 {
            written.writeString(String(chunk.readableBytes, radix: 16) + "\r\n")
            written.writeImmutableBuffer(chunk)
            written.writeString("\r\n")
        }
        written.writeString("0\r\n\r\n")
        return written
    }

    /// Nil for a body that is malformed or not complete.
    private static func clientBody(_ pieces: [ByteBuffer]) throws -> ByteBuffer? {
        var reader = ResponseReader(limits: WireLimits())
        reader.begin(method: "GET")
        var body = ByteBuffer()
        for piece in [ByteBuffer(string: "HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\n")] + pieces {
            reader.feed(piece)
            while let event = reader.next() {
                switch event {
                case .head: continue
                case .body(let data): body.writeImmutableBuffer(data)
                case .end: return body
                case .failed: return nil
                case .informational: throw Violation(description: "an informational head out of nowhere")
                }
            }
            try demand(reader.bufferedByteCount, equals: 0, "the client keeps bytes")
        }
        return nil
    }

    private static func serverBody(_ pieces: [ByteBuffer]) throws -> ByteBuffer? {
        let head = ByteBuffer(string: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        var reader = RequestReader()
        var body = ByteBuffer()
        for piece in [head] + pieces {
            reader.receive(piece)
            while let event = reader.next() {
                switch event {
                case .head: continue
                case .body(let data): body.writeImmutableBuffer(data)
                case .end: return body
                case .malformed: return nil
                }
            }
        }
        return nil
    }
}
