#if !canImport(Darwin)
import Foundation
import TLSBasics
import TLSEngine

/// A certificate with its private key: what a client answers a server's request for a certificate with.
///
/// Immutable; may be used from any thread. A description never shows the key. Differs from Apple: it holds the
/// certificates that lead to the authority too, and the key is in the process's memory, not in a keychain.
public final class SecIdentity: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: a class below NSObject cannot state the checked one; what it holds is
    // Sendable and never changes.
    package let identity: TLSIdentity

    package init(identity: TLSIdentity) { self.identity = identity }

    /// An identity from PEM, as files of servers and clients usually are. Ours, not Apple's.
    ///
    /// May be called from any thread.
    ///
    /// - Parameters:
    ///   - certificatePEM: The content of a file with the certificate and, in any order, those that lead to its
    ///     authority; at most 16 MiB and 100 certificates.
    ///   - privateKeyPEM: The content of a file with the private key (PKCS#8, or the older forms of RSA and EC keys);
    ///     it may be the same file.
    ///   - passphrase: For a key that is encrypted; ignored for one that is not.
    /// - Throws: `SecReadingError`, whose description says what is wrong.
    public init(certificatePEM: Data, privateKeyPEM: Data, passphrase: String? = nil) throws {
        do throws(IdentityProblem) {
            identity = try PEM.identity(
                certificates: [UInt8](certificatePEM), privateKey: [UInt8](privateKeyPEM), passphrase: passphrase
            ).get()
        } catch { throw SecReadingError(error) }
    }

    /// The certificate of the identity.
    package var certificate: SecCertificate? { identity.chain.first.flatMap { SecCertificate($0) } }

    /// Whether the other object is an identity of the same certificates and key.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecIdentity)?.identity == identity }

    /// Equal for equal identities.
    public override var hash: Int { identity.hashValue }

    /// The certificate's summary.
    public override var description: String { "<SecIdentity: \(certificate?.description ?? "unreadable")>" }
}

/// Puts the identity's certificate into `certificateRef`. May be called from any thread.
///
/// - Returns: `errSecSuccess`; `errSecDecode` when the certificate cannot be read.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificateRef.pointee = identityRef.certificate
    return certificateRef.pointee == nil ? errSecDecode : errSecSuccess
}

/// Puts the identity's private key into `privateKeyRef`: an object that says which key it is, but not its bytes. May be
/// called from any thread.
///
/// - Returns: `errSecSuccess`; `errSecDecode` when the certificate cannot be read.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    privateKeyRef.pointee = identityRef.certificate.map { SecKey($0.certificate.key, isPrivate: true) }
    return privateKeyRef.pointee == nil ? errSecDecode : errSecSuccess
}

/// The class `SecIdentity`, as `CFGetTypeID(_:)` tells it. May be called from any thread.
public func SecIdentityGetTypeID() -> CFTypeID { UInt(bitPattern: ObjectIdentifier(SecIdentity.self)) }
#endif
