import TLSBasics

/// How a server secures its connections.
package struct TLSServerSettings: Sendable {
    package enum ClientCertificate: Hashable, Sendable {
        /// None is asked for.
        case none
        case optional
        case required
        /// One is asked for, and refused with this alert; none at all is refused as for `required`.
        case refused(TLSAlert)
    }

    /// What a client's certificate must lead to.
    package struct Anchors: Hashable, Sendable {
        package let certificates: [CertificateBytes]
        /// When it must be valid, in seconds since 1970.
        package let date: Int64

        package init(certificates: [CertificateBytes], date: Int64) {
            self.certificates = certificates
            self.date = date
        }
    }

    package var identity: TLSIdentity
    package var versions: ClosedRange<TLSVersion> = .tls12 ... .tls13
    /// For TLS 1.2 and below, as OpenSSL's command `ciphers` reads it.
    package var cipherList: String?
    /// For TLS 1.3: names between colons.
    package var cipherSuites: String?
    package var securityLevel: Int?
    /// In order of preference. A client that offers others only is refused; without any, ALPN is ignored.
    package var applicationProtocols: [String] = []
    package var clientCertificate = ClientCertificate.none
    /// The names of authorities, in DER, that a client is told.
    package var acceptedIssuers: [[UInt8]] = []
    /// Without them every certificate of a client will do, unless it is refused.
    package var clientAnchors: Anchors?
    /// How many a client of TLS 1.3 is given; earlier versions give one. With 0 nothing can be resumed.
    package var tickets = 2

    /// An OCSP response in DER, for clients that ask for one; nil for none.
    package var stapledResponse: [UInt8]?

    package init(identity: TLSIdentity) { self.identity = identity }
}
