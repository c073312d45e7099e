import HTTPBasics

/// How a server is reached: what goes over one connection of a route may go over each of them.
package struct ConnectionRoute: Hashable, Sendable {
    package let origin: Origin
    /// Whose delegate decides about trust: the task's own one, by its number in the session; nil is the session's. What
    /// one of them accepts is not shared with tasks that would ask another one (BEHAVIOUR 2.B3-scope).
    package let trustScope: Int?
    /// With what its packets are marked, of six bits: connections with another mark are others (BEHAVIOUR
    /// 1.A2-mark-route).
    package let codePoint: UInt8
    /// What goes through it shares no connection with what goes directly (BEHAVIOUR 2.F4).
    @Rare package private(set) var proxy: Proxy?
    /// Whose tasks its connections serve, which are signed in or about to be; nil is everybody's (BEHAVIOUR 2.A32).
    @Rare package private(set) var user: ConnectionUser?

    package init(
        to origin: Origin, trustScope: Int? = nil, proxy: Proxy? = nil, user: ConnectionUser? = nil,
        codePoint: UInt8 = 0
    ) {
        self.init(
            to: origin, trustScope: trustScope, proxy: Rare(wrappedValue: proxy), user: Rare(wrappedValue: user),
            codePoint: codePoint)
    }

    /// With what a task holds already, without a copy of it.
    init(to origin: Origin, trustScope: Int?, proxy: Rare<Proxy>, user: Rare<ConnectionUser>, codePoint: UInt8) {
        self.origin = origin
        self.codePoint = codePoint
        _proxy = proxy
        _user = user
        // What goes in clear is decided by none.
        self.trustScope =
            origin.isSecure || proxy.isPresent && proxy.wrappedValue?.isSecure ?? false ? trustScope : nil
    }

    /// Routes to one origin seldom differ: the rest is compared, and each request need not hash it.
    package func hash(into hasher: inout Hasher) { hasher.combine(origin) }

    /// Its server is spoken to over TLS.
    package var isSecure: Bool { origin.isSecure }

    /// Whom to connect to.
    package var peer: (host: String, port: Int) {
        proxy.map { ($0.host, $0.port) } ?? (origin.host, origin.port)
    }

    /// The proxy that is spoken to over TLS, before all else is.
    var securedProxy: SecuredPeer? {
        proxy.flatMap { $0.isSecure ? .proxy($0.place, trustScope: trustScope) : nil }
    }

    /// The proxy that reads the requests and sends them on.
    package var forwarder: Proxy? { proxy.flatMap { $0.forwards(origin) ? $0 : nil } }

    /// The proxy that lets the connection through before it is used.
    package var tunnelled: Proxy? { proxy.flatMap { $0.forwards(origin) ? nil : $0 } }
}
