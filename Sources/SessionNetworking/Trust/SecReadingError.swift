#if !canImport(Darwin)
import Foundation
import TLSEngine

/// Why certificates or a private key could not be read from PEM. Ours, not Apple's.
public struct SecReadingError: LocalizedError, CustomNSError, Hashable, Sendable {
    /// Which of Security's codes says it best: `errSecAuthFailed` for a wrong passphrase, `errSecPassphraseRequired`,
    /// `errSecItemNotFound` for a text without a certificate or a key, `errSecPublicKeyInconsistent` for a key of
    /// another certificate, `errSecDecode` for damaged or too much data, `errSecUnsupportedFormat`.
    public let status: OSStatus
    /// What is wrong, and what to do.
    public let errorDescription: String?

    init(_ problem: IdentityProblem) {
        status = SecStatus.code(of: problem.kind)
        errorDescription = problem.detail
    }

    /// `NSOSStatusErrorDomain`.
    public static var errorDomain: String { NSOSStatusErrorDomain }

    /// The status.
    public var errorCode: Int { Int(status) }

    /// The description: Foundation does not put it there by itself for an error that has a domain of its own.
    public var errorUserInfo: [String: Any] { errorDescription.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }
}
#endif
