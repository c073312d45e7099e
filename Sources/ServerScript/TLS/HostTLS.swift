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
