import DequeModule
import HTTPBasics
import NIOCore
import ServerScript

/// What went over one connection, piece by piece in the order of time; the newest part of it when it was much.
package struct PeerTrace: Hashable, Sendable {
    package struct Piece: Hashable, Sendable {
        package enum Direction: Hashable, Sendable { case sent, received }

        package var instant: Instant
        package var direction: Direction
        /// Position of the first byte among all bytes of this direction.
        package var offset: Int
        package var bytes: [UInt8]
    }

    package var peer: PeerID
    package var host: String
    package var pieces: [Piece]
}

/// Remembers the last 64 KiB of each direction of the last 256 connections. Confined to one event loop.
final class WireTrace: @unchecked Sendable {  // Safety: touched on the event loop only.
    /// Both directions of one connection; its handler adds to it, also when it is too old to be shown.
    final class Conversation {
        fileprivate let peer: PeerID
        fileprivate let host: String
        fileprivate var sent = WireRing(sharesLarge: true)
        fileprivate var received = WireRing()

        fileprivate init(_ peer: PeerID, host: String) {
            self.peer = peer
            self.host = host
        }

        func sent(_ bytes: ByteBuffer) { sent.append(bytes, at: ServerClock.now()) }

        /// The channel reads into the same memory again.
        func received(_ bytes: ByteBuffer) { received.append(bytes, at: ServerClock.now()) }
    }

    private let mostPeers: Int
    private var conversations: CircularBuffer<Conversation> = []

    init(mostPeers: Int = 256) { self.mostPeers = mostPeers }

    func accepted(_ peer: PeerID, host: String) -> Conversation {
        if conversations.count == mostPeers { conversations.removeFirst() }
        let conversation = Conversation(peer, host: host)
        conversations.append(conversation)
        return conversation
    }

    func snapshot() -> [PeerTrace] {
        conversations.map { conversation in
            // Sorting is stable only by luck, so equal instants are told apart by direction: cause before effect.
            let pieces = (conversation.received.pieces(.received) + conversation.sent.pieces(.sent)).enumerated()
                .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
                .map(\.element)
            return PeerTrace(peer: conversation.peer, host: conversation.host, pieces: pieces)
        }
    }
}

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

    /// `sharesLarge`: nobody writes into the memory of what is appended.
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
