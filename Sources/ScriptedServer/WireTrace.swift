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
