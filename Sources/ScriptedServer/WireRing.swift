import DequeModule
import HTTPBasics
import NIOCore

/// The newest bytes of one direction, with the instants at which they came.
///
/// Small pieces are copied one behind the other, for that is cheaper than to keep each; large ones can be shared.
struct WireRing {
    static let mostBytes = 64 * 1024
    static let mostPieces = 1024
    private static let chunkBytes = 4096

    private struct Mark {
        var instant: Instant
        /// Where the piece begins; it ends where the next begins.
        var offset: Int
    }

    private let sharesLarge: Bool
    private var marks: Deque<Mark> = []
    /// What was appended, up to `tail`.
    private var chunks: Deque<ByteBuffer> = []
    /// Small pieces, up to a chunk of them.
    private var tail: [UInt8] = []
    private var heldBytes = 0
    /// Bytes ever appended.
    private var total = 0

    /// `sharesLarge`: the memory of what is appended is not written to.
    init(sharesLarge: Bool = false) { self.sharesLarge = sharesLarge }

    mutating func append(_ bytes: ByteBuffer, at instant: Instant) {
        let count = bytes.readableBytes
        guard count > 0 else { return }
        if marks.count == WireRing.mostPieces { marks.removeFirst() }
        marks.append(Mark(instant: instant, offset: total))
        total += count
        heldBytes += count
        if count >= WireRing.chunkBytes {
            closeTail()
            chunks.append(sharesLarge ? bytes : ByteBuffer(bytes: bytes.readableBytesView))
        } else {
            bytes.withUnsafeReadableBytes { tail.append(contentsOf: $0) }
            if tail.count >= WireRing.chunkBytes { closeTail() }
        }
        while let oldest = chunks.first?.readableBytes, heldBytes - oldest >= WireRing.mostBytes {
            chunks.removeFirst()
            heldBytes -= oldest
        }
    }

    private mutating func closeTail() {
        guard !tail.isEmpty else { return }
        chunks.append(ByteBuffer(bytes: tail))
        tail.removeAll(keepingCapacity: true)
    }

    func pieces(_ direction: PeerTrace.Piece.Direction) -> [PeerTrace.Piece] {
        let bytes = chunks.flatMap(\.readableBytesView) + tail
        let first = total - bytes.count
        let ends = marks.dropFirst().map(\.offset) + [total]
        return zip(marks, ends).compactMap { mark, end in
            let start = max(mark.offset, total - WireRing.mostBytes)
            guard start < end else { return nil }
            return PeerTrace.Piece(
                instant: mark.instant, direction: direction, offset: start,
                bytes: Array(bytes[(start - first)..<(end - first)]))
        }
    }
}
