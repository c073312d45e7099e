import ServerScript

/// `cookies:` of a session: its storage, and what it does with it.
package struct CookieOptions: Hashable, Sendable {
    package enum Policy: String, Hashable, Sendable, CaseIterable {
        case always, never, onlyFromMainDocumentDomain
    }

    /// `cookies: off` is none.
    package var hasStorage = true
    package var policy: Policy?
    /// `httpShouldSetCookies`.
    package var areSent = true
    /// The storage is a subclass, which is asked and told, and answers and keeps so much later.
    package var answersAfter: Duration?
    /// What it has before the first task.
    package var jar: [GivenCookie] = []

    package init() {}
}

/// A cookie that a caller puts into a storage.
package struct GivenCookie: Hashable, Sendable {
    package var name: String
    package var value: String
    package var path: String?
    /// One of the case's hosts; nil: the first one, if there is no `domain` either.
    package var host: String?
    package var domain: String?
    package var isSecure = false
    /// Nil: it ends with the session.
    package var lifetime: Duration?

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A cookie that must be in the storage when the case is over; what is not said may be anything.
package struct CookieMatch: Hashable, Sendable {
    package enum CookieExpiry: Hashable, Sendable {
        case session
        /// So long after the end of the case.
        case within(ClosedRange<Duration>)
    }

    package var name: String
    package var value: String?
    package var path: String?
    /// It is for that host alone.
    package var host: String?
    package var domain: String?
    package var isSecure: Bool?
    package var isHTTPOnly: Bool?
    /// An empty one stands for none.
    package var sameSite: String?
    package var expiry: CookieExpiry?
    package var mark: SourceMark

    package init(name: String, value: String?, mark: SourceMark) {
        self.name = name
        self.value = value
        self.mark = mark
    }
}
