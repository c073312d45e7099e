import HTTPBasics
import NIOCore
import ServerScript

/// The bytes of bombs: made once a process, and shared by all runs.
enum BombBytes {
    /// What "without end" comes to: four times what a client takes of a head.
    static let endless = 1 << 20

    static let gzip = content(.compressed(.fill(0, size: 16 << 20), .gzip))
    static let gzipInGzip = content(.compressed(.compressed(.fill(0, size: 64 << 20), .gzip), .gzip))
    static let gzipOfNothing = manyOfNothing()
    static let singleByteChunks = repeated("1\r\na\r\n")
    static let chunkExtensions = joined("1", repeated(";a", count: 1_000_000), "\r\na\r\n0\r\n\r\n")
    static let chunkSize = repeated("0")
    static let trailers = joined("1\r\na\r\n0\r\n", repeated("A: b\r\n"))
    static let informational = repeated("HTTP/1.1 103 Early Hints\r\n\r\n")
    static let letters = repeated("a")
    static let fields = repeated("A: b\r\n")
    static let folding = joined("A: b\r\n", repeated(" b\r\n"))

    private static func content(_ content: Content) -> ByteBuffer {
        guard let plain = nested(content), let bytes = plain.plain() else { return ByteBuffer() }
        return bytes.bytes(at: 0, count: bytes.count)
    }

    /// Compression reads plain content only.
    private static func nested(_ content: Content) -> Content? {
        guard case .compressed(let inner, let coding, let damage) = content else { return content }
        return inner.plain().map { .compressed($0, coding, damage) }
    }

    private static func manyOfNothing() -> ByteBuffer {
        guard case .bytes(let member)? = Content.compressed(.empty, .gzip).plain() else { return ByteBuffer() }
        let members = Array(repeatElement(member, count: (32 << 20) / max(1, member.count)).joined())
        return content(.compressed(.bytes(members), .gzip))
    }

    private static func repeated(_ text: String, count: Int? = nil) -> ByteBuffer {
        let count = count ?? endless / max(1, text.utf8.count)
        var buffer = ByteBuffer()
        buffer.reserveCapacity(count * text.utf8.count)
        for _ in 0..<count { buffer.writeString(text) }
        return buffer
    }

    private static func joined(_ first: String, _ middle: ByteBuffer, _ last: String = "") -> ByteBuffer {
        var buffer = ByteBuffer(string: first)
        buffer.writeImmutableBuffer(middle)
        buffer.writeString(last)
        return buffer
    }
}
