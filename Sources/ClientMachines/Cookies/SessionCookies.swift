/// What the tasks of a session know about its cookies: one for all of a client machine, and confined to it.
final class SessionCookies {
    /// While the storage has none at all, nobody asks it (BEHAVIOUR 2.C5-empty).
    var mayExist = false
}

/// What a session does with cookies, by its configuration.
package struct CookieUse: Equatable, Sendable {
    /// `httpShouldSetCookies`.
    package var sends = false
    /// There is a storage, and its policy takes some.
    package var stores = false

    package init(sends: Bool = false, stores: Bool = false) {
        self.sends = sends
        self.stores = stores
    }
}
