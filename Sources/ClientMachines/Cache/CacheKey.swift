import HTTPBasics

/// What of a URL a kept response is found by: all but user, password and fragment (RFC 9111 2).
package struct CacheKey: Hashable, Sendable {
    package let text: String

    /// Nil for what no server can be asked for.
    package init?(_ url: URLReference) {
        guard let origin = url.origin else { return nil }
        // Not interpolated: it is made for every request of a session with a cache.
        var text = origin.description
        text += url.path.isEmpty ? "/" : url.path
        if let query = url.query {
            text += "?"
            text += query
        }
        self.text = text
    }
}
