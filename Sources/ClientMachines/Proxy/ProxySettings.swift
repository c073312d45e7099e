import HTTPBasics

/// Which proxy a session's requests take: chosen by their origin alone (BEHAVIOUR 2.E1).
package struct ProxySettings: Equatable, Sendable {
    /// For `http` URLs, and for `https` URLs.
    package var http: Proxy?
    package var https: Proxy?
    /// For what has no other.
    package var fallback: Proxy?
    package var exceptions = ProxyExceptions()

    package init(
        http: Proxy? = nil, https: Proxy? = nil, fallback: Proxy? = nil, exceptions: ProxyExceptions = ProxyExceptions()
    ) {
        self.http = http
        self.https = https
        self.fallback = fallback
        self.exceptions = exceptions
    }

    /// All is asked directly.
    package var areNone: Bool { http == nil && https == nil && fallback == nil }

    /// Nil for an origin that is asked directly.
    package func proxy(for origin: Origin) -> Proxy? {
        guard let proxy = (origin.isSecure ? https : http) ?? fallback, !exceptions.cover(origin) else { return nil }
        return proxy
    }
}
