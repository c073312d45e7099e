/// Something that goes wrong on purpose: where, and what.
package struct Fault: Hashable, Sendable {
    package var landmark: Landmark
    package var effect: Effect
    /// How often it happens, out of a hundred times; whether it does is drawn from the run's seed.
    package var percent: Int
    /// To the TLS of the proxy through which the connection has come, and not to that of the host within it.
    package var isOfProxy: Bool
    package var mark: SourceMark?

    package init(
        at landmark: Landmark, do effect: Effect, percent: Int = 100, isOfProxy: Bool = false, mark: SourceMark? = nil
    ) {
        self.isOfProxy = isOfProxy
        self.landmark = landmark
        self.effect = effect
        self.percent = percent
        self.mark = mark
    }
}

extension Fault {
    /// A position in the life of a connection or an exchange (SCENARIO-FORMAT 'Faults').
    package enum Landmark: Hashable, Sendable {
        /// A client knocks, before there is a connection.
        case listen
        case accept
        /// The request's head has been read, its body not.
        case requestHead
        /// This many bytes of the request's body have been read.
        case requestBody(Int)
        /// The whole request has been read, nothing sent.
        case request
        /// Before the informational answer of this index.
        case interim(Int)
        /// This many bytes of the status line are out.
        case statusLine(Int)
        /// This many bytes of the head are out.
        case head(Int)
        case headEnd
        /// This many bytes of the body are out (framing not counted).
        case body(Int)
        /// This part of the chunk with this index is out.
        case chunk(Int, ChunkPart)
        /// The size line of the last chunk is out, nothing behind it.
        case lastChunk
        /// The trailer fields are out, the empty line that ends them is not.
        case trailers
        case end
        /// The exchange is over and the connection has been idle this long.
        case idle(Duration)
    }

    package enum Effect: Hashable, Sendable {
        /// Close in order: the client sees FIN.
        case fin
        /// Close with RST; what the client has not read yet is lost.
        case reset
        /// Nothing more is sent; the connection stays open.
        case stall
        /// The same without a word of TLS before it, as if someone on the way had cut the connection.
        case truncate
        /// FIN, but the server goes on reading.
        case halfClose
        /// Bytes that are not HTTP, then FIN.
        case garbage
        /// A pause, then things go on.
        case delay(Duration)
        /// Where TLS is spoken.
        case record(RecordFault)

        /// The exchange goes on behind it.
        package var goesOn: Bool {
            switch self {
            case .delay: true
            case .record(let fault): fault.sequel == .exchange
            case .fin, .reset, .stall, .truncate, .halfClose, .garbage: false
            }
        }
    }
}

/// The parts of a chunk in their order (RFC 9112 7.1).
package enum ChunkPart: String, CaseIterable, Hashable, Sendable {
    /// The line with its size.
    case size
    case data
    /// The line break behind the data.
    case crlf
}
