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
    static let chunkExtensions = joined("1", repeated(";a", beyond: 2_000_000), "\r\na\r\n0\r\n\r\n")
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
        return content(.compressed(.bytes(doubled(member, beyond: 16 << 20)), .gzip))
    }

    private static func repeated(_ text: String, beyond count: Int = endless) -> ByteBuffer {
        ByteBuffer(bytes: doubled(Array(text.utf8), beyond: count))
    }

    private static func doubled(_ bytes: [UInt8], beyond count: Int) -> [UInt8] {
        var bytes = bytes
        while bytes.count < count, !bytes.isEmpty { bytes += bytes }
        return bytes
    }

    private static func joined(_ first: String, _ middle: ByteBuffer, _ last: String = "") -> ByteBuffer {
        var buffer = ByteBuffer(string: first)
        buffer.writeImmutableBuffer(middle)
        buffer.writeString(last)
        return buffer
    }
}
