/// What one end of a connection has shown of itself.
package struct PeerCertificates: Hashable, Sendable {
    /// As sent: the end's own certificate first, the others in any order.
    package var chain: [CertificateBytes]
    /// What it brought along to show that its certificate is not revoked: an OCSP response in DER (RFC 6066 8). Nobody
    /// has looked into it.
    package var stapledResponse: [UInt8]?

    package init(chain: [CertificateBytes], stapledResponse: [UInt8]? = nil) {
        self.chain = chain
        self.stapledResponse = stapledResponse
    }

    /// The longest response that is kept: real ones have 0.5 to 4 KiB.
    package static let longestResponse = 32 << 10
}
