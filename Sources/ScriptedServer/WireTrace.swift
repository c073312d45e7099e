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
        fileprivate var sent = WireRing()
        fileprivate var received = WireRing()

        fileprivate init(_ peer: PeerID, host: String) {
            self.peer = peer
            self.host = host
        }

        func sent(_ bytes: ByteBuffer) { sent.append(bytes, at: ServerClock.now()) }
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
struct WireRing {
    static let mostBytes = 64 * 1024
    static let mostMarks = 1024

    private struct Mark {
        var instant: Instant
        var offset: Int
    }

    private var kept = ByteBuffer()
    private var marks: CircularBuffer<Mark> = []
    /// Bytes ever appended.
    private var total = 0

    private var start: Int { total - kept.readableBytes }

    mutating func append(_ bytes: ByteBuffer, at instant: Instant) {
        guard bytes.readableBytes > 0 else { return }
        marks.append(Mark(instant: instant, offset: total))
        total += bytes.readableBytes
        var tail = bytes
        tail.moveReaderIndex(forwardBy: max(0, bytes.readableBytes - WireRing.mostBytes))
        if tail.readableBytes == WireRing.mostBytes { kept.clear() }
        kept.writeBuffer(&tail)
        trim()
    }

    private mutating func trim() {
        forget(kept.readableBytes - WireRing.mostBytes)
        if marks.count > WireRing.mostMarks {
            marks.removeFirst()
            if let first = marks.first { forget(first.offset - start) }
        }
        // The first mark covers what is left of its piece.
        while marks.count > 1, marks[offset: 1].offset <= start { marks.removeFirst() }
        if kept.readerIndex > WireRing.mostBytes { kept.discardReadBytes() }
    }

    private mutating func forget(_ count: Int) {
        if count > 0 { kept.moveReaderIndex(forwardBy: count) }
    }

    func pieces(_ direction: PeerTrace.Piece.Direction) -> [PeerTrace.Piece] {
        let marks = Array(marks)
        return marks.indices.map { index in
            let from = max(marks[index].offset, start)
            let end = index + 1 < marks.count ? marks[index + 1].offset : total
            let bytes = kept.getBytes(at: kept.readerIndex + from - start, length: end - from) ?? []
            return PeerTrace.Piece(instant: marks[index].instant, direction: direction, offset: from, bytes: bytes)
        }
    }
}
