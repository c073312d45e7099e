import HTTPBasics
import NIOCore

extension Checksum {
    package mutating func update(_ bytes: ByteBuffer) { bytes.withUnsafeReadableBytes { update($0) } }
}

extension Content {
    private static let piece = 64 << 10

    /// The checksum of the first `limit` bytes, or of all; generated content is never held as a whole.
    package func checksum(ofFirst limit: Int = .max) -> UInt64 {
        guard let plain = plain() else { return Checksum().value }
        var checksum = Checksum()
        var offset = 0
        let end = min(limit, plain.count)
        while offset < end {
            checksum.update(plain.bytes(at: offset, count: min(Content.piece, end - offset)))
            offset += Content.piece
        }
        return checksum.value
    }

    /// Whether a recorded request body is exactly this.
    package func equals(_ body: RecordedBody) -> Bool { count == body.count && startsWith(body) }

    /// Whether a recorded request body is this, or a beginning of it.
    package func startsWith(_ body: RecordedBody) -> Bool {
        body.count <= count && checksum(ofFirst: body.count) == body.checksum
    }
}
