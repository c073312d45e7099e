import ServerScript

/// What a server that speaks TLS brings along about the revocation of its certificate: an OCSP response, good or bad in
/// one way. It is an hour old when the server starts, and good for a week.
public struct StapledResponse: Hashable, Sendable {
    let preset: StaplePreset

    /// The authority says that the certificate was not revoked.
    public static let good = StapledResponse(preset: .good)
    /// A responder says so, which the authority has certified for that.
    public static let delegated = StapledResponse(preset: .delegated)
    /// The certificate was revoked.
    public static let revoked = StapledResponse(preset: .revoked)
    /// The authority does not know the certificate.
    public static let unknown = StapledResponse(preset: .unknown)
    /// A new one should have come a week ago.
    public static let expired = StapledResponse(preset: .expired)
    /// It will be valid in a week.
    public static let notYetValid = StapledResponse(preset: .notYetValid)
    /// Somebody has signed it who has nothing to do with the certificate.
    public static let wrongSigner = StapledResponse(preset: .wrongSigner)
    /// Another server has signed it.
    public static let wrongUsage = StapledResponse(preset: .wrongUsage)
    /// It is about another certificate.
    public static let wrongCertificate = StapledResponse(preset: .wrongCertificate)
    /// It cannot be read.
    public static let malformed = StapledResponse(preset: .malformed)
}
