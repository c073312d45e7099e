import ClientMachines
import HTTPBasics
import NIOCore

/// What went over one connection: bytes of both directions with their times, and what the server's bytes mean.
package struct WireRecord: Sendable {
    /// How many bytes of each direction are kept; beyond that they are only counted.
    package static let keptBytes = 1 << 20
    static let keptPieces = 16_384

    /// Bytes that entered the connection together.
    package struct Piece: Hashable, Sendable {
        package var from: Side
        package var instant: Instant
        /// Offset within its direction.
        package var offset: Int
        package var count: Int
    }

    /// In the order of acceptance, over all sessions.
    package let connection: Int
    package let session: Int
    package let client: ConnectionID
    package let host: String
    package let opened: Instant
    /// All bytes, also those that were not kept.
    package private(set) var counts: ByteCounts
    /// Where TLS protects them: what it has made of them, and of what it says itself.
    package private(set) var sealed: SealedBytes?
    package private(set) var pieces: [Piece] = []
    /// Where heads, framing and bodies of the answers lie, ascending.
    package internal(set) var spans: [WireSpan] = []
    /// Of the requests, also of those that were not kept.
    private(set) var methods: [String] = []
    package private(set) var fromClient = ByteBuffer()
    package private(set) var fromServer = ByteBuffer()

    init(connection: Int, session: Int, client: ConnectionID, host: String, opened: Instant) {
        self.connection = connection
        self.session = session
        self.client = client
        self.host = host
        self.opened = opened
        counts = ByteCounts(connection: connection)
    }

    mutating func append(_ bytes: ByteBuffer, from side: Side, at instant: Instant) {
        let offset = counts[side]
        counts[side] += bytes.readableBytes
        let end = side == .client ? fromClient.readableBytes : fromServer.readableBytes
        // A direction is kept without holes, or its offsets would lie.
        guard end == offset, end < WireRecord.keptBytes else { return }
        let room = min(WireRecord.keptBytes - end, bytes.readableBytes)
        let kept = bytes.getSlice(at: bytes.readerIndex, length: room) ?? ByteBuffer()
        if pieces.count < WireRecord.keptPieces {
            pieces.append(Piece(from: side, instant: instant, offset: offset, count: kept.readableBytes))
        }
        if side == .client { fromClient.writeImmutableBuffer(kept) } else { fromServer.writeImmutableBuffer(kept) }
    }

    /// Of what goes through the pipe: plaintext, or what TLS makes of it.
    package var carried: ByteCounts { sealed?.counts ?? counts }

    /// How many bytes a SOCKS proxy has sent before it let the connection through.
    private(set) var preface = 0

    /// What has come so far is no HTTP.
    mutating func endPreface() {
        preface = counts.fromServer
        append(WireSpan(kind: .other, exchange: WireSpan.tunnel, range: 0..<preface))
    }

    /// What was in clear, by a proxy's leave, stands before it.
    mutating func beginSealing() { sealed = SealedBytes(behind: counts) }

    /// Ciphertext entered the connection.
    mutating func carried(_ bytes: ByteBuffer, from side: Side) {
        if sealed == nil { sealed = SealedBytes(connection: connection) }
        sealed?.append(bytes, from: side)
    }

    /// A request has begun: its method says whether its answer has a body.
    mutating func append(method: String) {
        if methods.count < WireRecord.keptPieces { methods.append(method) }
    }

    mutating func append(_ span: WireSpan) {
        if let last = spans.last, last.kind == span.kind, last.exchange == span.exchange,
            last.range.upperBound == span.range.lowerBound
        {
            spans[spans.count - 1].range = last.range.lowerBound..<span.range.upperBound
        } else if spans.count < WireRecord.keptPieces {
            spans.append(span)
        }
    }
}

/// Bytes that entered one connection, per direction.
package struct ByteCounts: Hashable, Sendable {
    package let connection: Int
    package internal(set) var fromClient = 0
    package internal(set) var fromServer = 0

    subscript(side: Side) -> Int {
        get { side == .client ? fromClient : fromServer }
        set { if side == .client { fromClient = newValue } else { fromServer = newValue } }
    }
}

/// A run of the server's bytes with one meaning.
package struct WireSpan: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// Status line and fields, of a final or informational answer.
        case head
        /// Chunk sizes, their line ends, trailers.
        case framing
        case body
        /// Bytes that the strict reader cannot place.
        case other
    }

    package var kind: Kind
    /// Exchange on its connection, from 0; `tunnel` for what a proxy says before it lets the connection through.
    package var exchange: Int
    package var range: Range<Int>

    static let tunnel = -1
}
