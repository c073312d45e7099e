#if !canImport(Darwin)
import Foundation
import TLSBasics
import TLSEngine

/// An X.509 certificate.
///
/// Immutable; may be used from any thread. Two are equal when their DER is. Differs from Apple: it is a class of
/// Foundation, not of Core Foundation.
public final class SecCertificate: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: a class below NSObject cannot state the checked one; what it holds is
    // Sendable and never changes.
    package let certificate: X509Certificate

    package init(_ certificate: X509Certificate) { self.certificate = certificate }

    /// Nil when the bytes are no certificate.
    package convenience init?(_ bytes: CertificateBytes) {
        guard let certificate = X509Certificate(bytes) else { return nil }
        self.init(certificate)
    }

    /// All certificates of a PEM text, in its order. Ours, not Apple's.
    ///
    /// May be called from any thread.
    ///
    /// - Parameter pem: The content of a file with blocks "BEGIN CERTIFICATE", at most 16 MiB; other text is passed
    ///   over.
    /// - Throws: `SecReadingError`, when there is no certificate or one is damaged.
    public static func certificates(pem: Data) throws -> [SecCertificate] {
        do throws(IdentityProblem) {
            return try PEM.certificates([UInt8](pem)).get().map { SecCertificate($0) }
        } catch { throw SecReadingError(error) }
    }

    /// The public key with its algorithm, in DER: a SubjectPublicKeyInfo (RFC 5280 4.1.2.7). Ours, not Apple's, where
    /// code puts it together of `SecKeyCopyExternalRepresentation` and a header for each kind of key.
    ///
    /// May be read from any thread.
    public var publicKeyInfo: Data { Data(certificate.key.info) }

    /// The SHA-256 of `publicKeyInfo`, 32 bytes, which pins usually are: `sha256/` and its Base64 in many tools, and
    /// in RFC 7469 2.4. Ours, not Apple's.
    ///
    /// May be read from any thread.
    public var publicKeyInfoHash: Data { Data(certificate.key.infoHash) }

    /// Whether the other object is the same certificate, byte for byte.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecCertificate)?.certificate == certificate
    }

    /// Equal for equal certificates.
    public override var hash: Int { certificate.hashValue }

    /// The summary of the subject.
    public override var description: String { "<SecCertificate: \(certificate.subjectSummary ?? "without a name")>" }
}

/// The certificate in the data, which must be its DER and nothing else; nil when it cannot be read. PEM is not taken,
/// as on Apple's platforms: `SecCertificate.certificates(pem:)` reads it.
///
/// May be called from any thread.
///
/// - Parameter allocator: Not used; pass nil.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    SecCertificate(CertificateBytes(der: [UInt8](data as Data)))
}

/// The certificate's DER. May be called from any thread.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    Data(certificate.certificate.bytes.der) as CFData
}

/// A name for people: the subject's common name, else its organizational unit or organization, else an e-mail address
/// or a host of the certificate; nil when it has none of these. May be called from any thread.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.certificate.subjectSummary.map { $0 as CFString }
}

/// Puts the subject's first common name into `commonName`; nil when it has none. May be called from any thread.
///
/// - Returns: `errSecSuccess`, always.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    commonName.pointee = certificate.certificate.commonName.map { $0 as CFString }
    return errSecSuccess
}

/// Puts the e-mail addresses of the alternative names into `emailAddresses`. May be called from any thread.
///
/// - Returns: `errSecSuccess`, always.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    emailAddresses.pointee = certificate.certificate.names.emails as CFArray
    return errSecSuccess
}

/// The serial number: the content of its DER integer. May be called from any thread.
///
/// - Parameter error: Not set: every certificate has one.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    Data(certificate.certificate.serial) as CFData
}

/// The certificate's public key. May be called from any thread.
///
/// - Returns: Nil when the key's algorithm is not known.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    let key = certificate.certificate.key
    return key.bits > 0 ? SecKey(key, isPrivate: false) : nil
}

/// The subject's name in DER. May be called from any thread.
///
/// Differs from Apple: nothing is normalized; the bytes are those of the certificate. Both are only good for comparing.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    Data(certificate.certificate.subject.der) as CFData
}

/// The issuer's name in DER. May be called from any thread.
///
/// Differs from Apple: nothing is normalized; the bytes are those of the certificate. Both are only good for comparing.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    Data(certificate.certificate.issuer.der) as CFData
}

/// When the certificate begins to be valid; nil when the date cannot be read. May be called from any thread.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    certificate.certificate.notBefore.map { Date(timeIntervalSince1970: TimeInterval($0.seconds)) as CFDate }
}

/// When the certificate ceases to be valid; nil when the date cannot be read. May be called from any thread.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    certificate.certificate.notAfter.map { Date(timeIntervalSince1970: TimeInterval($0.seconds)) as CFDate }
}

/// The class `SecCertificate`, as `CFGetTypeID(_:)` tells it. May be called from any thread.
public func SecCertificateGetTypeID() -> CFTypeID { UInt(bitPattern: ObjectIdentifier(SecCertificate.self)) }
#endif
