#if !canImport(Darwin)
import ClientMachines
import Foundation

/// A user name with its password, to answer a challenge with.
///
/// Immutable; may be used from any thread. A description never shows the password; an archive does hold it.
open class URLCredential: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    // Safety of the unchecked conformance: `facts` never changes.
    private final let facts: Facts

    private struct Facts: Hashable, Sendable, Codable {
        var user: String
        var password: String
        var persistence: UInt
    }

    /// How long a credential is kept. There is no credential storage yet: one counts for the task that asked.
    public enum Persistence: UInt, Sendable {
        /// Not at all.
        case none = 0
        /// While the session lives.
        case forSession = 1
        /// For ever.
        case permanent = 2
        /// For ever, and on the user's other machines.
        case synchronizable = 3
    }

    /// A credential of a user name and a password, both of any content.
    public init(user: String, password: String, persistence: URLCredential.Persistence) {
        facts = Facts(user: user, password: password, persistence: persistence.rawValue)
        super.init()
    }

    /// True: archives of credentials can be read back safely.
    public static var supportsSecureCoding: Bool { true }

    /// Reads a credential that `encode(with:)` wrote; nil when the archive holds none, or a damaged one.
    public required init?(coder aDecoder: NSCoder) {
        guard let facts = ArchivedState<Facts>.decode(from: aDecoder, key: Self.archiveKey) else { return nil }
        self.facts = facts
        super.init()
    }

    /// Writes the credential, password included, into a keyed archive. Another kind of coder gets nothing.
    open func encode(with aCoder: NSCoder) { ArchivedState.encode(facts, into: aCoder, key: Self.archiveKey) }

    private static let archiveKey = "credential"

    /// This object itself: it cannot change.
    open override func copy() -> Any { copy(with: nil) }

    /// This object itself: it cannot change. `zone` is ignored.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The user name.
    open var user: String? { facts.user }

    /// The password.
    open var password: String? { facts.password }

    /// Whether there is a password; always true, as credentials without one cannot be made yet.
    open var hasPassword: Bool { true }

    /// How long the credential is kept.
    open var persistence: URLCredential.Persistence { Persistence(rawValue: facts.persistence) ?? .none }

    /// What the machines need of it.
    package final var credential: Credential { Credential(user: facts.user, password: facts.password) }

    /// Whether the other object is a credential that says the same.
    open override func isEqual(_ object: Any?) -> Bool { (object as? URLCredential)?.facts == facts }

    /// Equal for equal credentials.
    open override var hash: Int { facts.hashValue }

    /// The object's identity and the user name.
    open override var description: String { "\(super.description) { user: \(facts.user) }" }
}
#endif
