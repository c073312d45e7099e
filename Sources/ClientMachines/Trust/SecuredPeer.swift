import HTTPBasics

/// Whom a layer of TLS is spoken with: the server, or the proxy in the way. Neither is trusted with what the other is,
/// and sessions of TLS go on with the one that gave them (BEHAVIOUR 2.E11).
package enum SecuredPeer: Hashable, Sendable {
    case server(ConnectionRoute)
    /// Whatever goes through it.
    ///
    /// - Parameter trustScope: Whose delegate decides about its certificates, as a route has it.
    case proxy(Origin, trustScope: Int?)

    /// Who it has to be, by its certificates.
    package var origin: Origin {
        switch self {
        case .server(let route): route.origin
        case .proxy(let place, _): place
        }
    }

    /// Set for a proxy: which.
    package var proxy: Origin? { if case .proxy(let place, _) = self { place } else { nil } }
}
