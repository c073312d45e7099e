import HTTPBasics

/// What of a URL a kept response is found by: all but user, password and fragment (RFC 9111 2).
package struct CacheKey: Hashable, Sendable {
    package let text: String

    /// Nil for what no server can be asked for.
    package init?(_ url: URLReference) {
        guard let origin = url.origin else { return nil }
        // Made for every request of a session with a cache: in memory that is asked for once.
        var text = ""
        text.reserveCapacity(
            origin.scheme.utf8.count + origin.host.utf8.count + url.path.utf8.count + (url.query?.utf8.count ?? 0) + 13)
        origin.append(to: &text)
        text += url.path.isEmpty ? "/" : url.path
        if let query = url.query {
            text += "?"
            text += query
        }
        self.text = text
    }
}
