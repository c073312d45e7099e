/// A cookie in the storage of a session, as its public properties tell it.
package struct SeenCookie: Hashable, Sendable {
    package var name: String
    package var value: String
    package var domain: String
    package var path: String
    package var isSecure: Bool
    package var isHTTPOnly: Bool
    /// An empty one stands for none, nil for a client that tells none.
    package var sameSite: String?
    /// How long it has to live; nil for one that ends with the session.
    package var left: Duration?

    package init(
        name: String, value: String, domain: String, path: String, isSecure: Bool, isHTTPOnly: Bool, sameSite: String?,
        left: Duration?
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.left = left
    }
}
