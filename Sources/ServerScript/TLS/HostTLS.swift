import TLSBasics

/// How a host speaks TLS.
package struct HostTLS: Hashable, Sendable {
    package enum CertificateDemand: Hashable, Sendable {
        case none
        /// Wanted; who has none is served, too.
        case optional
        case required
        /// Wanted, and then refused with this alert, whichever it is.
        case refused(TLSAlert)
    }

    package var certificate = CertificatePreset.valid
    /// For clients that ask for it; nil for none.
    package var staple: StaplePreset?
    package var versions = TLSVersion.tls12...TLSVersion.tls13
    /// Those that it takes; if none is of TLS 1.3, or none of those below it, there the usual ones.
    package var ciphers: [CipherSuite] = []
    package var clientCertificate = CertificateDemand.none
    /// How many sessions a client is given to go on with; 0 for none.
    package var tickets = 2
    /// What the server can speak over TLS, the best first.
    package var applicationProtocols = ["http/1.1"]
    package var fault: HandshakeFault?
    /// The most plaintext in one record, of the first 64 KiB; nil: 1,400 bytes of the first 8 KiB.
    package var recordSize: Int?

    package init(_ certificate: CertificatePreset = .valid) { self.certificate = certificate }
}

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
    /// Of the host's, counted from 1; nil: of each.
    package var connection: Int?

    package init(
        at landmark: Landmark, plus offset: Int = 0, do effect: Effect, pace: Duration? = nil, connection: Int? = nil
    ) {
        self.pace = pace
        self.connection = connection
        self.landmark = landmark
        self.offset = offset
        self.effect = effect
    }
}
