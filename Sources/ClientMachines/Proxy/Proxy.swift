import HTTPBasics

/// What stands between a session and a server, with what it is to be told of the user.
package struct Proxy: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Hashable, Sendable {
        case http
        /// With names, as version 4a has it.
        case socks4
        case socks5
        /// Of a scheme that is not spoken, or unreadable: nobody goes around it.
        case unusable
    }

    package var kind: Kind
    /// Small letters; without brackets for an IPv6 literal.
    package var host: String
    package var port: Int
    /// It is spoken to over TLS, of its own: HTTP alone has that (BEHAVIOUR 2.E11).
    package var isSecure: Bool
    /// What it is told when it asks, before anybody else is asked.
    package var credential: Credential?

    package init(_ kind: Kind, host: String, port: Int, isSecure: Bool = false, credential: Credential? = nil) {
        self.kind = kind
        self.host = host.lowercased()
        self.port = port
        self.isSecure = isSecure
        self.credential = credential
    }

    /// There is to be one, and it cannot be known which (BEHAVIOUR 2.E10-slip).
    package static let unreadable = Proxy(.unusable, host: "", port: 0)

    /// Why nobody can use it; without what it was read from, where a password may stand.
    var refusal: String? {
        guard kind == .unusable else { return nil }
        return host.isEmpty
            ? "The proxy that is set cannot be read as [scheme://][user:password@]host[:port], or has no such port."
            : "Proxies are spoken to by http, https, socks4a and socks5h, and no other way."
    }

    /// Whether requests to an origin go to it as they are, and not through a tunnel (BEHAVIOUR 2.E3).
    func forwards(_ origin: Origin) -> Bool { kind == .http && !origin.isSecure }

    /// What a task to an origin fails with that it does not help.
    func failure(for origin: Origin) -> Failure.Kind {
        origin.isSecure ? .httpsProxyConnectionFailure : .httpProxyConnectionFailure
    }

    /// The same proxy, whoever uses it.
    var place: Origin {
        Origin(scheme: kind != .http ? "socks" : isSecure ? "https" : "http", host: host, port: port)
    }

    package var description: String { "\(kind.rawValue) proxy \(host):\(port)" + (isSecure ? " over TLS" : "") }
}
