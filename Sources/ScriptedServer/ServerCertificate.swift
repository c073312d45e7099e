import ServerScript
import TestCertificates

/// What a server that speaks TLS shows of itself: a certificate for tests, good or bad in one way.
///
/// The private keys of all of them are public: nothing but tests may trust them. Good ones are for `localhost`,
/// `a.test`, `b.test`, `c.test`, 127.0.0.1 and ::1.
public struct ServerCertificate: Hashable, Sendable {
    let preset: CertificatePreset

    /// Good, with an RSA key, signed by way of an intermediate authority.
    public static let valid = ServerCertificate(preset: .valid)
    /// Good, with a P-256 key.
    public static let ecdsa = ServerCertificate(preset: .ecdsa)
    /// It has expired.
    public static let expired = ServerCertificate(preset: .expired)
    /// It will be valid in the next century.
    public static let notYetValid = ServerCertificate(preset: .notYetValid)
    /// It is for another host.
    public static let wrongHost = ServerCertificate(preset: .wrongHost)
    /// It has signed itself.
    public static let selfSigned = ServerCertificate(preset: .selfSigned)
    /// Its authority is trusted by nobody.
    public static let untrustedRoot = ServerCertificate(preset: .untrustedRoot)
    /// The authority between it and the root is not sent.
    public static let missingIntermediate = ServerCertificate(preset: .missingIntermediate)
    /// It is for clients.
    public static let wrongUsage = ServerCertificate(preset: .wrongUsage)
    /// Its RSA key has 1,024 bits.
    public static let weakKey = ServerCertificate(preset: .weakKey)
    /// It is signed with SHA-1.
    public static let sha1 = ServerCertificate(preset: .sha1)

    /// The authority that clients of the good ones have to trust, in DER.
    public static var authority: [UInt8] { TestCertificates.authority.first?.der ?? [] }
}
