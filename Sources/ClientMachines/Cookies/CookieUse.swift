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
