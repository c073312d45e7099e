import ServerScript

/// Something that goes wrong on purpose while a connection is secured with TLS.
///
/// ```swift
/// $0.secure(fault: .stall(at: .clientHello))
/// $0.secure(fault: .alert(.handshakeFailure, at: .serverHello(0)).onConnection(2))
/// ```
///
/// One whose place is never reached, such as byte 100,000 of a flight of 2,000, is a violation.
public struct ServerHandshakeFault: Hashable, Sendable {
    /// A place in a handshake.
    public struct Place: Hashable, Sendable {
        let landmark: HandshakeFault.Landmark
        let offset: Int

        /// The client has spoken, and nothing is answered.
        public static let clientHello = Place(landmark: .clientHello, offset: 0)

        /// This many bytes of the server's first flight are out.
        public static func serverHello(_ count: Int = 0) -> Place {
            Place(landmark: .serverHello, offset: max(0, count))
        }

        /// The client is through, and this many bytes of the server's last flight are out: in TLS 1.2 the words that
        /// complete the handshake, in TLS 1.3 tickets.
        public static func finished(_ count: Int = 0) -> Place { Place(landmark: .finished, offset: max(0, count)) }
    }

    var fault: HandshakeFault

    private init(_ effect: HandshakeFault.Effect, _ place: Place, pace: Duration? = nil) {
        fault = HandshakeFault(at: place.landmark, plus: place.offset, do: effect, pace: pace)
    }

    /// The end of the connection, in order.
    public static func fin(at place: Place) -> ServerHandshakeFault { ServerHandshakeFault(.fin, place) }

    /// RST.
    public static func reset(at place: Place) -> ServerHandshakeFault { ServerHandshakeFault(.reset, place) }

    /// Nothing more is sent; the connection stays open.
    public static func stall(at place: Place) -> ServerHandshakeFault { ServerHandshakeFault(.stall, place) }

    /// Bytes that are no TLS, then FIN.
    public static func garbage(at place: Place) -> ServerHandshakeFault { ServerHandshakeFault(.garbage, place) }

    /// The rest of the flight, and behind it a mebibyte that is no TLS; then nothing more.
    public static func flood(at place: Place) -> ServerHandshakeFault { ServerHandshakeFault(.flood, place) }

    /// This alert, then FIN: in clear, but at `finished` of TLS 1.3 protected.
    public static func alert(_ alert: ServerAlert, at place: Place) -> ServerHandshakeFault {
        ServerHandshakeFault(.alert(alert.alert), place)
    }

    /// A pause, then things go on.
    public static func pause(at place: Place, for span: Duration) -> ServerHandshakeFault {
        ServerHandshakeFault(.delay(span), place)
    }

    /// From there on 16 KiB come byte by byte.
    ///
    /// - Parameter span: How long the server waits behind each of them, until the handshake is over; not at all if nil.
    public static func split(at place: Place, pausing span: Duration? = nil) -> ServerHandshakeFault {
        ServerHandshakeFault(.split, place, pace: span)
    }

    /// Strikes only this connection to the host, counted from 1.
    public func onConnection(_ number: Int) -> ServerHandshakeFault {
        var copy = self
        copy.fault.connection = number
        return copy
    }
}
