import HTTPBasics
import TLSBasics

/// What a connection asks before it is open, on behalf of the task that waits for it (BEHAVIOUR 2.B1).
package struct ConnectionChallenge: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Is this the right server, by what it has shown of itself?
        case serverTrust(PeerCertificates)
        /// The server wants a certificate; by one of these authorities, named in DER, if any are named.
        case clientCertificate(issuers: [[UInt8]])
    }

    /// Who it has to be: the server, or the proxy in the way.
    package let origin: Origin
    package let isOfProxy: Bool
    package let kind: Kind

    package init(of peer: SecuredPeer, kind: Kind) {
        origin = peer.origin
        isOfProxy = peer.proxy != nil
        self.kind = kind
    }
}

/// What the user says to it (BEHAVIOUR 2.A3-trust, 2.A3-identity).
package enum ConnectionAnswer: Hashable, Sendable {
    /// The server is the right one.
    case trust
    /// Show this to the server.
    case present(TLSIdentity)
    case performDefaultHandling
    case cancel
    /// The task was over before anyone could be asked.
    case unasked
}
