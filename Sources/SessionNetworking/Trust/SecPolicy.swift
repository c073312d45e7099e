#if !canImport(Darwin)
import Foundation
import TLSEngine

/// What a trust checks of a certificate, beside its chain and its dates.
///
/// Immutable; may be used from any thread.
public final class SecPolicy: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: a class below NSObject cannot state the checked one; what it holds is
    // Sendable and never changes.
    package let rule: Rule

    package enum Rule: Hashable, Sendable {
        case basic
        case server(host: String?)
        case client
        case revocation(TrustEvaluation.RevocationDemand)
    }

    package init(_ rule: Rule) { self.rule = rule }

    /// Whether the other object is a policy with the same rule.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecPolicy)?.rule == rule }

    /// Equal for equal policies.
    public override var hash: Int { rule.hashValue }
}

/// The policy for certificates of TLS. May be called from any thread.
///
/// Differs from Apple: certificates may be valid for any span, and need no certificate transparency.
///
/// - Parameters:
///   - server: True for a server's certificate, which its extended key usage must allow; false for a client's.
///   - hostname: The host, or the IP address as text, that a server's certificate must be for, by its alternative names
///     (RFC 9525); internationalized hosts as A-labels. Nil when the name does not matter.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(server ? .server(host: hostname.map { $0 as String }) : .client)
}

/// The policy that checks the chain and the dates only, neither name nor purpose. May be called from any thread.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.basic) }

/// The policy that says what must be known of the revocation of certificates. It also checks the chain and the dates,
/// but neither name nor purpose: set it beside that of `SecPolicyCreateSSL(_:_:)`. May be called from any thread.
///
/// What is known is what the server brought along, the OCSP response that it has stapled to the handshake, and what
/// `SecTrustSetOCSPResponse(_:_:)` sets. A response counts if the certificate's authority, or a responder with a
/// certificate of that authority for this purpose, has signed it, and if the date of the evaluation is within its
/// dates. One that says "revoked" counts without this policy, too; one that cannot be read, is out of date or says
/// "unknown" is as good as none.
///
/// Differs from Apple: nothing is fetched from the network, neither responses nor lists of revoked certificates.
///
/// - Parameter revocationFlags: A union of constants, of which `kSecRevocationRequirePositiveResponse` alone makes an
///   evaluation stricter: without a response that counts and says "good" of the first certificate, it fails with
///   `errSecIncompleteCertRevocationCheck`. Together with `kSecRevocationCRLMethod`, but without
///   `kSecRevocationOCSPMethod`, it always fails so, because there never is a list.
/// - Returns: Nil for other bits.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    let known = kSecRevocationUseAnyAvailableMethod | kSecRevocationPreferCRL | kSecRevocationRequirePositiveResponse
    guard revocationFlags & ~(known | kSecRevocationNetworkAccessDisabled) == 0 else { return nil }
    guard revocationFlags & kSecRevocationRequirePositiveResponse != 0 else { return SecPolicy(.revocation(.none)) }
    let method = revocationFlags & kSecRevocationUseAnyAvailableMethod
    return SecPolicy(.revocation(method == kSecRevocationCRLMethod ? .list : .response))
}

/// By OCSP: the responses that are there already.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0
/// By lists of revoked certificates. Here they are never fetched.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1
/// Lists before OCSP. Here it has no effect.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2
/// The evaluation fails unless a response says that the first certificate was not revoked.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3
/// Nothing may be fetched, as is always the case here.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// OCSP or lists, whichever can be had: here OCSP.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = kSecRevocationOCSPMethod | kSecRevocationCRLMethod

/// The class `SecPolicy`, as `CFGetTypeID(_:)` tells it. May be called from any thread.
public func SecPolicyGetTypeID() -> CFTypeID { UInt(bitPattern: ObjectIdentifier(SecPolicy.self)) }
#endif
