/// What a host brings along to show that its certificate is not revoked: an OCSP response (RFC 6960), good or bad in
/// one way.
package enum StaplePreset: String, Hashable, Sendable, CaseIterable {
    /// The certificate's authority says that it was not revoked.
    case good
    /// A responder says so, which the authority has certified for that.
    case delegated
    case revoked
    /// The authority does not know the certificate.
    case unknown
    case expired
    case notYetValid = "not-yet-valid"
    /// Signed by an authority that has nothing to do with the certificate.
    case wrongSigner = "wrong-signer"
    /// Signed by another server of the same authority.
    case wrongUsage = "wrong-usage"
    /// About another certificate of the same authority.
    case wrongCertificate = "wrong-certificate"
    /// No response at all.
    case malformed
}

extension CertificatePreset {
    /// Whether its authority is the one whose key is there to sign responses.
    package var canBeStapled: Bool {
        switch self {
        case .longChain, .expiredIntermediate, .selfSigned, .untrustedRoot, .noAuthority, .pathTooLong, .nameConstraint,
            .deepChain:
            false
        case .valid, .ecdsa, .ed25519, .wildcard, .international, .unordered, .expired, .notYetValid, .wrongHost,
            .wildcardTop, .noSAN, .missingIntermediate, .wrongUsage, .weakKey, .sha1, .revoked, .unknownExtension,
            .badSignature, .hugeChain, .manyNames, .nulName, .negativeSerial, .overlongDate:
            true
        }
    }
}
