import ServerScript

/// What happens to a connection that is accepted, before anything is read from it.
public struct AcceptEffect: Hashable, Sendable {
    let effect: Fault.Effect

    /// The end of the connection, in order.
    public static let fin = AcceptEffect(effect: .fin)
    /// RST.
    public static let reset = AcceptEffect(effect: .reset)
    /// Nothing, on an open connection.
    public static let stall = AcceptEffect(effect: .stall)
    /// FIN, but the server goes on reading.
    public static let halfClose = AcceptEffect(effect: .halfClose)
    /// Bytes that are no HTTP, then FIN.
    public static let garbage = AcceptEffect(effect: .garbage)

    /// A pause; then the next step may read from it.
    public static func pause(for span: Duration) -> AcceptEffect { AcceptEffect(effect: .delay(span)) }
}
