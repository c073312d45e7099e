/// Why a connection cannot be secured, or is not secure any more.
package struct TLSFailure: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The peer gave up, with this alert.
        case refused(TLSAlert)
        /// The peer broke the protocol or offers nothing that we accept; this alert was sent.
        case broken(TLSAlert)
        /// What the peer sends is not TLS.
        case notTLS
        /// The peer ended the connection during the handshake.
        case ended
        /// The peer ended the open connection without saying so in TLS: anybody could have done it.
        case truncated
        /// The certificates were refused: by the system's rules, or by the user.
        case untrusted
        /// The identity that we were given cannot be used.
        case unusableIdentity
    }

    /// What became of our own certificate: with it an alert says more (BEHAVIOUR 2.B1-client).
    package enum OwnCertificate: Hashable, Sendable {
        case notRequested
        /// The peer asked for one and got none.
        case missing
        case sent
        /// The peer has answered since, so it is content with what it got.
        case settled
    }

    package let kind: Kind
    package let ownCertificate: OwnCertificate
    /// One sentence for people.
    package let detail: String

    package init(_ kind: Kind, _ ownCertificate: OwnCertificate = .notRequested, _ detail: String) {
        self.kind = kind
        self.ownCertificate = ownCertificate
        self.detail = detail
    }
}
