import HTTPBasics
import NIOCore

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
