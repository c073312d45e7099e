import TLSBasics

/// Something that goes wrong while a connection is secured, on purpose.
package struct HandshakeFault: Hashable, Sendable {
    package enum Landmark: String, Hashable, Sendable, CaseIterable {
        /// The client has spoken, and nothing is answered.
        case clientHello = "client-hello"
        /// In the server's first flight, after so many bytes of it.
        case serverHello = "server-hello"
        /// The client is through, and the server has not said its last word.
        case finished
    }

    package enum Effect: Hashable, Sendable {
        /// FIN, or RST.
        case fin, reset
        /// Nothing more is sent.
        case stall
        /// Bytes that are no TLS, then FIN.
        case garbage
        /// This alert, sealed where TLS 1.3 is agreed upon, then FIN.
        case alert(TLSAlert)
        /// The rest of the flight, and behind it a mebibyte that is no TLS; then nothing more.
        case flood
        /// From there on 16 KiB come byte by byte, each in a piece of its own.
        case split
        /// A pause, then things go on.
        case delay(Duration)

        /// Those that are one word in a scenario file.
        package static let words: [(word: String, effect: Effect)] = [
            ("fin", .fin), ("reset", .reset), ("stall", .stall), ("garbage", .garbage), ("flood", .flood),
            ("split", .split),
        ]
    }

    package var landmark: Landmark
    /// Bytes of the flight that still go out.
    package var offset: Int
    package var effect: Effect
    /// Of `split`: a pause behind each byte, of the handshake alone.
    package var pace: Duration?
    /// Of those to the host in this round, counted from 1; nil: each.
    package var connection: Int?
    package var mark: SourceMark?

    package init(
        at landmark: Landmark, plus offset: Int = 0, do effect: Effect, pace: Duration? = nil, connection: Int? = nil,
        mark: SourceMark? = nil
    ) {
        self.mark = mark
        self.pace = pace
        self.connection = connection
        self.landmark = landmark
        self.offset = offset
        self.effect = effect
    }
}

/// What the script hears of a fault of a handshake.
package enum HandshakeNews: Hashable, Sendable {
    /// It has done what it says, and things go on, or end at once.
    case struck
    /// It has struck, and nothing more is sent; the connection stays open.
    case stalled
    /// It has struck, and what follows waits: nothing is sent, and nothing read.
    case paused
    /// The pause is over.
    case goesOn
}
