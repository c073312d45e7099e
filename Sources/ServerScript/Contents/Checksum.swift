import NIOCore

/// FNV-1a with 64 bits, fed piece by piece: enough to tell bodies apart that are too large to keep.
package struct Checksum: Hashable, Sendable {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func update(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { raw in
            var hash = value
            for byte in raw { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            value = hash
        }
    }
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

/// Builds a `RecordedBody` as the bytes come in.
struct BodyRecorder {
    static let keptBytes = 64 << 10

    private(set) var count = 0
    private var prefix: [UInt8] = []
    private var checksum = Checksum()

    mutating func take(_ bytes: ByteBuffer) {
        let room = BodyRecorder.keptBytes - prefix.count
        if room > 0 { prefix.append(contentsOf: bytes.readableBytesView.prefix(room)) }
        checksum.update(bytes)
        count += bytes.readableBytes
    }

    var record: RecordedBody { RecordedBody(prefix: prefix, count: count, checksum: checksum.value) }
}
