#if !canImport(Darwin)
import Foundation
import TLSBasics
import TLSEngine

/// How an evaluation has ended.
public enum SecTrustResultType: UInt32, Sendable {
    /// Not evaluated.
    case invalid = 0
    /// Trusted, and the user has said so. Here it does not occur.
    case proceed = 1
    /// Not trusted, because the user has said so. Here it does not occur.
    case deny = 3
    /// Trusted.
    case unspecified = 4
    /// Not trusted, but another setting could change that: an anchor, a date or a policy.
    case recoverableTrustFailure = 5
    /// Not trusted: a certificate is damaged, weak or revoked.
    case fatalTrustFailure = 6
    /// The evaluation itself has failed. Here it does not occur.
    case otherError = 7
}

/// Whether the certificates are trusted. The answer is remembered until a setting changes.
///
/// May be called from any thread; blocks it for a fraction of a millisecond, the first time in a process for longer.
///
/// Differs from Apple: the error's failure reason, and its debug description, say which certificate is the problem,
/// why, and what to do.
///
/// - Parameter error: Set to nil when they are trusted, else to an error of `NSOSStatusErrorDomain` with one of the
///   codes `errSecCertificateExpired`, `errSecCertificateNotValidYet`, `errSecHostNameMismatch`, `errSecNotTrusted`,
///   `errSecCreateChainFailed`, `errSecUnsupportedKeySize`, `errSecInvalidExtendedKeyUsage`, `errSecCertificateRevoked`,
///   `errSecIncompleteCertRevocationCheck` or `errSecDecode`.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let problem = trust.outcome().problem
    error?.pointee = problem.map { SecStatus.error(for: $0, of: trust.summary) }
    return problem == nil
}

/// Evaluates on a queue, and calls `result` there with what `SecTrustEvaluateWithError(_:_:)` says. May be called from
/// any thread.
///
/// - Returns: `errSecSuccess`, always.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping (SecTrust, Bool, CFError?) -> Void
) -> OSStatus {
    let answer = SecTrustAnswer(closure: result)
    queue.async {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        answer.closure(trust, isTrusted, error)
    }
    return errSecSuccess
}

/// Carries the closure, which Apple does not ask to be Sendable.
private struct SecTrustAnswer: @unchecked Sendable {
    // Safety: called once, on the queue that its author has named.
    let closure: (SecTrust, Bool, CFError?) -> Void
}

/// Puts the result of the last evaluation into `result`; `invalid` when there was none since the last change. May be
/// called from any thread.
///
/// - Returns: `errSecSuccess`, always.
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    result.pointee = trust.knownOutcome.map { SecTrustResultType(of: $0.problem) } ?? .invalid
    return errSecSuccess
}

/// Evaluates, and puts the result into `result`. May be called from any thread.
///
/// - Returns: `errSecSuccess`, always.
@available(*, deprecated, renamed: "SecTrustEvaluateWithError")
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    result.pointee = SecTrustResultType(of: trust.outcome().problem)
    return errSecSuccess
}

/// The certificates from the one that is judged to the anchor: an array of `SecCertificate`. Of a chain that is not
/// trusted, as much as could be built. Evaluates first if need be. May be called from any thread.
///
/// - Returns: Nil when there is no certificate that can be read.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    let chain = trust.certificates
    return chain.isEmpty ? nil : chain as CFArray
}

/// The number of certificates in the chain of `SecTrustCopyCertificateChain(_:)`. May be called from any thread.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.certificates.count }

/// One certificate of the chain; 0 is the one that is judged. May be called from any thread.
///
/// - Returns: Nil beyond the end.
@available(*, deprecated, renamed: "SecTrustCopyCertificateChain")
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    let chain = trust.certificates
    return chain.indices.contains(ix) ? chain[ix] : nil
}

/// The public key of the certificate that is judged, trusted or not. May be called from any thread.
///
/// - Returns: Nil when it cannot be read, or its algorithm is not known.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
    trust.chain.first.flatMap { SecCertificate($0) }.flatMap(SecCertificateCopyKey)
}

/// The public key of the certificate that is judged. May be called from any thread.
@available(*, deprecated, renamed: "SecTrustCopyKey")
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

extension SecTrust {
    /// The built chain, of which those that cannot be read are left out.
    var certificates: [SecCertificate] { outcome().chain.compactMap { SecCertificate($0) } }
}

extension SecTrustResultType {
    init(of problem: TrustProblem?) {
        switch problem?.reason {
        case nil: self = .unspecified
        case .weak, .revoked, .malformed: self = .fatalTrustFailure
        default: self = .recoverableTrustFailure
        }
    }
}
#endif
