#if !canImport(Darwin)
import ClientMachines
import Foundation
import TLSBasics

/// What a challenge is answered with: a user name with its password, an identity, or a server's certificates that are
/// accepted.
///
/// Immutable; may be used from any thread. A description never shows the password; an archive does hold it.
open class URLCredential: NSObject, NSSecureCoding, NSCopying, CustomReflectable, @unchecked Sendable {
    // Safety of the unchecked conformance: `facts` never changes.
    private final let facts: Facts

    private struct Facts: Hashable, Sendable {
        var content: Content
        var persistence: UInt
    }

    private enum Content: Hashable, Sendable {
        case password(user: String, String)
        case trust(SecTrust)
        case identity(SecIdentity, [SecCertificate])
    }

    /// What is written into archives.
    private struct Archived: Codable {
        var user: String
        var password: String
        var persistence: UInt
    }

    /// How long a credential is kept by a `URLCredentialStorage` (BEHAVIOUR 2.A11-kept).
    public enum Persistence: UInt, Sendable {
        /// Not at all: it serves the task that asked for it.
        case none = 0
        /// For the life of the process.
        case forSession = 1
        /// For ever: by `URLCredentialStorage.shared` in a file of the user's. By any other storage as `forSession`.
        case permanent = 2
        /// For ever, and on Apple's platforms on the user's other machines. Here it is as `permanent`, on this machine
        /// only.
        case synchronizable = 3
    }

    /// A credential of a user name and a password, both of any content.
    public init(user: String, password: String, persistence: URLCredential.Persistence) {
        facts = Facts(content: .password(user: user, password), persistence: persistence.rawValue)
        super.init()
    }

    /// A credential that accepts a server's certificates, whatever the system's rules say of them. Answers the
    /// challenge whose `protectionSpace.serverTrust` is this very object; it has no meaning for others.
    public init(trust: SecTrust) {
        facts = Facts(content: .trust(trust), persistence: Persistence.forSession.rawValue)
        super.init()
    }

    /// A credential that shows a certificate of ours to a server that wants one.
    ///
    /// - Parameters:
    ///   - identity: The certificate with its private key.
    ///   - certArray: The certificates (`SecCertificate`) that lead from it to an authority that the server knows, in
    ///     this order and without the identity's own; other objects are passed over. Nil sends those that came with
    ///     the identity.
    ///   - persistence: How long the credential is kept.
    public init(identity: SecIdentity, certificates certArray: [Any]?, persistence: URLCredential.Persistence) {
        let given = certArray?.compactMap { $0 as? SecCertificate }
        facts = Facts(
            content: .identity(
                identity, given ?? identity.identity.chain.dropFirst().compactMap { SecCertificate($0) }),
            persistence: persistence.rawValue)
        super.init()
    }

    /// True: archives of credentials can be read back safely.
    public static var supportsSecureCoding: Bool { true }

    /// Reads a credential that `encode(with:)` wrote; nil when the archive holds none, or a damaged one.
    public required init?(coder aDecoder: NSCoder) {
        guard let kept = ArchivedState<Archived>.decode(from: aDecoder, key: Self.archiveKey) else { return nil }
        facts = Facts(content: .password(user: kept.user, kept.password), persistence: kept.persistence)
        super.init()
    }

    /// Writes the credential, password included, into a keyed archive. Another kind of coder gets nothing, and a
    /// credential without a user name is not written: it cannot be read back.
    open func encode(with aCoder: NSCoder) {
        guard case .password(let user, let password) = facts.content else { return }
        let kept = Archived(user: user, password: password, persistence: facts.persistence)
        ArchivedState.encode(kept, into: aCoder, key: Self.archiveKey)
    }

    private static let archiveKey = "credential"

    /// This object itself: it cannot change.
    open override func copy() -> Any { copy(with: nil) }

    /// This object itself: it cannot change. `zone` is ignored.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The user name; nil for an identity, and for a server's certificates.
    open var user: String? {
        if case .password(let user, _) = facts.content { user } else { nil }
    }

    /// The password; nil where there is no user name.
    open var password: String? {
        if case .password(_, let password) = facts.content { password } else { nil }
    }

    /// Whether there is a password.
    open var hasPassword: Bool { password != nil }

    /// The certificate with its private key; nil for other credentials.
    open var identity: SecIdentity? {
        if case .identity(let identity, _) = facts.content { identity } else { nil }
    }

    /// The certificates that are sent behind the identity's own: objects of the class `SecCertificate`.
    open var certificates: [Any] {
        if case .identity(_, let certificates) = facts.content { certificates } else { [] }
    }

    /// What it accepts, for a challenge about trust.
    package final var trust: SecTrust? {
        if case .trust(let trust) = facts.content { trust } else { nil }
    }

    /// What it shows to a server.
    package final var tlsIdentity: TLSIdentity? {
        guard case .identity(let identity, let others) = facts.content else { return nil }
        let own = identity.identity
        return TLSIdentity(chain: own.chain.prefix(1) + others.map(\.certificate.bytes), privateKey: own.privateKey)
    }

    /// How long the credential is kept.
    open var persistence: URLCredential.Persistence { Persistence(rawValue: facts.persistence) ?? .none }

    /// What the machines need of a user name with its password.
    package final var credential: Credential? {
        guard case .password(let user, let password) = facts.content else { return nil }
        return Credential(user: user, password: password)
    }

    /// Whether the other object is a credential that says the same.
    open override func isEqual(_ object: Any?) -> Bool { (object as? URLCredential)?.facts == facts }

    /// Equal for equal credentials.
    open override var hash: Int { facts.hashValue }

    /// The object's identity and the user name.
    open override var description: String { "\(super.description) { user: \(user ?? "none") }" }

    /// What a dump shows: the user name, never the password.
    open var customMirror: Mirror { Mirror(self, children: ["user": user ?? "none"]) }
}
#endif
