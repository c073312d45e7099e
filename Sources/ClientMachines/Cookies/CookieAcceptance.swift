import HTTPBasics

/// Whether a place may set a cookie at all (RFC 6265bis 5.7).
package enum CookieAcceptance {
    /// The cookie as it may be kept; nil if that place must not set it.
    package static func accepted(
        _ cookie: Cookie, from url: URLReference, _ suffixes: some PublicSuffixes
    ) -> Cookie? {
        guard let host = CookieDomain.host(of: url) else { return nil }
        var cookie = cookie
        if cookie.isHostOnly {
            guard cookie.domain == host else { return nil }
        } else {
            guard CookieDomain.matches(host, cookie.domain) else { return nil }
            if CookieDomain.isAddress(host) || suffixes.isPublicSuffix(cookie.domain[...]) {
                // The host itself may be one (BEHAVIOUR 2.C22-suffix).
                guard cookie.domain == host else { return nil }
                cookie.isHostOnly = true
            }
        }
        if cookie.isSecure, !isSecure(url) { return nil }
        return keepsPromise(cookie) ? cookie : nil
    }

    package static func isSecure(_ url: URLReference) -> Bool {
        guard let scheme = url.scheme else { return false }
        return scheme.equalsIgnoringCase("https") || scheme.equalsIgnoringCase("wss")
    }

    /// What a name promises that begins so, in small letters or capitals (BEHAVIOUR 2.C24-prefix).
    private static func keepsPromise(_ cookie: Cookie) -> Bool {
        if hasPrefix(cookie.name, "__secure-") { return cookie.isSecure }
        if hasPrefix(cookie.name, "__host-") { return cookie.isSecure && cookie.isHostOnly && cookie.path == "/" }
        return true
    }

    static func hasPrefix(_ name: String, _ prefix: String) -> Bool {
        name.utf8.prefix(prefix.utf8.count).map(ASCII.lowercased).elementsEqual(prefix.utf8)
    }
}
