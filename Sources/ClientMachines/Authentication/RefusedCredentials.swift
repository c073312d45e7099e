/// Credentials that were refused for one request, the latest of them.
package struct RefusedCredentials: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let credential: Credential
        let realm: String
        let scheme: AuthenticationScheme
    }

    private var entries: [Entry] = []
    /// After so many nothing more is tried that nobody has chosen for this request: a storage that always has another
    /// credential would keep a server busy for ever (BEHAVIOUR 2.A5-most).
    package static let most = 8

    package init() {}

    package mutating func add(_ credential: Credential, realm: String, _ scheme: AuthenticationScheme) {
        entries = entries.suffix(Self.most - 1) + [Entry(credential: credential, realm: realm, scheme: scheme)]
    }

    /// Whether it is of no use to try this one. Basic says the same whatever the realm is; a proof is another one in
    /// another realm (BEHAVIOUR 2.A5-tried).
    package func rulesOut(_ credential: Credential, realm: String, _ scheme: AuthenticationScheme) -> Bool {
        guard entries.count < Self.most else { return true }
        return entries.contains { entry in
            entry.credential == credential && (scheme == .basic || entry.scheme == scheme && entry.realm == realm)
        }
    }

    package var users: [String] { entries.map(\.credential.user) }
}
