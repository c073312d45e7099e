#if !canImport(Darwin)
import Foundation
import TLSBasics
import TLSEngine

/// No error.
public let errSecSuccess: OSStatus = 0
/// A function or operation is not implemented.
public let errSecUnimplemented: OSStatus = -4
/// An argument has a value or a class that the function does not take.
public let errSecParam: OSStatus = -50
/// No memory.
public let errSecAllocate: OSStatus = -108
/// A passphrase is wrong, or the data it opens is damaged.
public let errSecAuthFailed: OSStatus = -25293
/// The item is not there, as a private key in a container without one.
public let errSecItemNotFound: OSStatus = -25300
/// Encrypted in a way that cannot be undone here.
public let errSecUnsupportedFormat: OSStatus = -25256
/// The format is not known.
public let errSecUnknownFormat: OSStatus = -25257
/// A private key that does not leave its identity.
public let errSecKeyIsSensitive: OSStatus = -25258
/// The container is encrypted, and no passphrase was given.
public let errSecPassphraseRequired: OSStatus = -25260
/// A container's code does not fit. Here a wrong passphrase is `errSecAuthFailed`, as Apple documents it.
public let errSecPkcs12VerifyFailure: OSStatus = -25264
/// A chain lacks an intermediate authority.
public let errSecCreateChainFailed: OSStatus = -25318
/// The data cannot be read.
public let errSecDecode: OSStatus = -26275
/// Whether the certificate was revoked is not known, and a policy requires that it is.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// The certificate is for other names.
public let errSecHostNameMismatch: OSStatus = -67602
/// The certificate's key usage forbids what it is used for.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
/// The certificate's extended key usage forbids what it is used for.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
/// A key is too small.
public let errSecUnsupportedKeySize: OSStatus = -67735
/// A private key and a certificate do not belong together.
public let errSecPublicKeyInconsistent: OSStatus = -67811
/// A signature uses an algorithm that can be forged.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815
/// A certificate has expired.
public let errSecCertificateExpired: OSStatus = -67818
/// A certificate is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// A certificate was revoked.
public let errSecCertificateRevoked: OSStatus = -67820
/// No authority that is trusted has signed the certificate.
public let errSecNotTrusted: OSStatus = -67843

/// A sentence in English about a code of this module; nil for a code that it does not use.
///
/// May be called from any thread. Differs from Apple: the words, and that other codes of the system have none.
///
/// - Parameter reserved: Pass nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    SecStatus.words[status].map { $0 as CFString }
}

/// The words and the reasons of Security's codes.
enum SecStatus {
    static let words: [OSStatus: String] = [
        errSecSuccess: "No error.",
        errSecUnimplemented: "Function or operation not implemented.",
        errSecParam: "One or more parameters passed to a function were not valid.",
        errSecAllocate: "Failed to allocate memory.",
        errSecAuthFailed: "The user name or passphrase you entered is not correct.",
        errSecItemNotFound: "The specified item could not be found.",
        errSecUnsupportedFormat: "Import/export format unsupported.",
        errSecUnknownFormat: "Unknown format in import.",
        errSecKeyIsSensitive: "Key material must be wrapped for export.",
        errSecPassphraseRequired: "Passphrase is required for import/export.",
        errSecPkcs12VerifyFailure: "MAC verification failed during PKCS12 import (wrong password?)",
        errSecCreateChainFailed: "One or more certificates required to validate this certificate cannot be found.",
        errSecDecode: "Unable to decode the provided data.",
        errSecIncompleteCertRevocationCheck: "An incomplete certificate revocation check occurred.",
        errSecHostNameMismatch: "A host name mismatch has occurred.",
        errSecInvalidKeyUsageForPolicy: "The key usage is not valid for the specified policy.",
        errSecInvalidExtendedKeyUsage: "The extended key usage is not valid.",
        errSecUnsupportedKeySize: "The key size is not supported.",
        errSecPublicKeyInconsistent: "The public key was inconsistent.",
        errSecInvalidDigestAlgorithm: "An invalid digest algorithm was detected.",
        errSecCertificateExpired: "An expired certificate was detected.",
        errSecCertificateNotValidYet: "The certificate is not yet valid.",
        errSecCertificateRevoked: "The certificate was revoked.",
        errSecNotTrusted: "The certificate is not trusted.",
    ]

    static func code(of reason: TrustProblem.Reason) -> OSStatus {
        switch reason {
        case .expired: errSecCertificateExpired
        case .notYetValid: errSecCertificateNotValidYet
        case .otherHost: errSecHostNameMismatch
        case .selfSigned, .unknownAuthority, .noAnchors: errSecNotTrusted
        case .incomplete: errSecCreateChainFailed
        // Apple has two codes; which of key and signature is weak stands in the detail.
        case .weak: errSecUnsupportedKeySize
        case .wrongUsage: errSecInvalidExtendedKeyUsage
        case .revoked: errSecCertificateRevoked
        case .revocationUnknown: errSecIncompleteCertRevocationCheck
        case .malformed: errSecDecode
        }
    }

    static func code(of kind: IdentityProblem.Kind) -> OSStatus {
        switch kind {
        case .wrongPassphrase: errSecAuthFailed
        case .passphraseNeeded: errSecPassphraseRequired
        case .noKey, .noCertificate: errSecItemNotFound
        case .keyDoesNotFit: errSecPublicKeyInconsistent
        case .unsupported: errSecUnsupportedFormat
        case .tooLarge, .malformedCertificate, .malformedKey, .malformed: errSecDecode
        }
    }

    /// How Apple's sentences about a certificate end.
    static func ending(of reason: TrustProblem.Reason) -> String {
        switch reason {
        case .expired, .notYetValid: "certificate is expired"
        case .otherHost: "certificate name does not match input"
        case .selfSigned, .unknownAuthority, .noAnchors, .incomplete: "certificate is not trusted"
        case .weak, .malformed: "certificate is not standards compliant"
        case .wrongUsage: "certificate is not permitted for this usage"
        case .revoked: "certificate is revoked"
        case .revocationUnknown: "revocation status is not known"
        }
    }

    /// As Apple's errors of a trust: the sentence names the end's own certificate, and the detail says the rest.
    static func error(for problem: TrustProblem, of summary: String?) -> CFError {
        let name = summary.map { "“\($0)” " } ?? ""
        return NSError(
            domain: NSOSStatusErrorDomain, code: Int(code(of: problem.reason)),
            userInfo: [
                NSLocalizedDescriptionKey: name + ending(of: problem.reason),
                NSLocalizedFailureReasonErrorKey: problem.detail, NSDebugDescriptionErrorKey: problem.detail,
            ])
    }

    static func error(_ code: OSStatus, _ detail: String) -> CFError {
        NSError(
            domain: NSOSStatusErrorDomain, code: Int(code),
            userInfo: [NSLocalizedDescriptionKey: detail, NSDebugDescriptionErrorKey: detail])
    }
}
#endif
