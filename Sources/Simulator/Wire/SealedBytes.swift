import NIOCore

/// What TLS has put on one connection: how much, and where the records of the server lie (RFC 8446 5.1).
package struct SealedBytes: Sendable {
    private static let headerBytes = 5

    package private(set) var counts: ByteCounts
    /// Ascending; as many as a record keeps of anything.
    package private(set) var records: [Range<Int>] = []
    /// The header of the record that is being read.
    private var header: [UInt8] = []
    private var bodyLeft = 0

    init(connection: Int) { counts = ByteCounts(connection: connection) }

    init(behind counts: ByteCounts) { self.counts = counts }

    mutating func append(_ bytes: ByteBuffer, from side: Side) {
        if side == .server { read(bytes) }
        counts[side] += bytes.readableBytes
    }

    private mutating func read(_ bytes: ByteBuffer) {
        var bytes = bytes
        while bytes.readableBytes > 0 {
            let offset = counts.fromServer + bytes.readerIndex
            if bodyLeft > 0 {
                let count = min(bodyLeft, bytes.readableBytes)
                bytes.moveReaderIndex(forwardBy: count)
                bodyLeft -= count
                continue
            }
            guard let byte: UInt8 = bytes.readInteger() else { return }
            header.append(byte)
            guard header.count == Self.headerBytes else { continue }
            bodyLeft = Int(header[3]) << 8 | Int(header[4])
            header = []
            let start = offset + 1 - Self.headerBytes
            if records.count < WireRecord.keptPieces { records.append(start..<offset + 1 + bodyLeft) }
        }
    }
}
