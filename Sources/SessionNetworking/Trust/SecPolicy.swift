#if !canImport(Darwin)
import Foundation

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

/// The class `SecPolicy`, as `CFGetTypeID(_:)` tells it. May be called from any thread.
public func SecPolicyGetTypeID() -> CFTypeID { UInt(bitPattern: ObjectIdentifier(SecPolicy.self)) }
#endif
