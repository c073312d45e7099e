/// A URI reference, RFC 3986: absolute, or relative to a base.
///
/// Components are kept exactly as written (no decoding, no case change), so that a URL survives a round trip.
package struct URLReference: Hashable, Sendable, CustomStringConvertible {
    package var scheme: String?
    /// `user:password`, still percent-encoded; never sent on the wire (BEHAVIOUR 2.A20).
    package var userInformation: String?
    /// Without brackets for an IPv6 literal; nil when there is no authority at all.
    package var host: String?
    package var port: Int?
    package var path: String
    package var query: String?
    package var fragment: String?

    package init(
        scheme: String? = nil, userInformation: String? = nil, host: String? = nil, port: Int? = nil,
        path: String = "", query: String? = nil, fragment: String? = nil
    ) {
        self.scheme = scheme
        self.userInformation = userInformation
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        self.fragment = fragment
    }

    /// What to connect to; nil without a host, or without both an explicit port and a scheme whose port is known.
    package var origin: Origin? {
        guard let scheme, let host, !host.isEmpty, let port = port ?? Origin.defaultPort(of: scheme) else { return nil }
        return Origin(scheme: scheme, host: host, port: port)
    }

    /// The same for a URL that nothing can be connected to as well: what it lacks is empty, or 0.
    package var nominalOrigin: Origin {
        let scheme = scheme ?? ""
        return Origin(scheme: scheme, host: host ?? "", port: port ?? Origin.defaultPort(of: scheme) ?? 0)
    }

    /// The same reference without user name and password.
    package var withoutUserInformation: URLReference {
        guard userInformation != nil else { return self }
        var copy = self
        copy.userInformation = nil
        return copy
    }

    /// User name and password, decoded (BEHAVIOUR 2.A19); a missing password is an empty one.
    package var credentials: (user: String, password: String)? {
        guard let userInformation, !userInformation.isEmpty else { return nil }
        // As bytes: a Character may be the colon together with combining marks behind it.
        let bytes = userInformation.utf8
        guard let colon = bytes.firstIndex(of: ASCII.colon) else {
            return (PercentEncoding.decoded(userInformation), "")
        }
        let user = Substring(bytes[..<colon]), password = Substring(bytes[colon...].dropFirst())
        return (PercentEncoding.decoded(user), PercentEncoding.decoded(password))
    }
}
