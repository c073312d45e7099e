import HTTPBasics
import TLSBasics

/// What a session's configuration means to its machines; fixed for the life of the session.
package struct ClientSettings: Equatable, Sendable {
    /// `httpAdditionalHeaders`: added to every request that lacks the name, also after a redirect (see `forStrangers`).
    package var additionalFields = Fields()
    /// Our own defaults (Accept, User-Agent, …), weaker than both (BEHAVIOUR 2.F13).
    package var defaultFields = StandingFields()
    /// What is undone besides gzip and deflate.
    package var codings = KnownCodings()
    /// `httpMaximumConnectionsPerHost`, per origin.
    package var connectionsPerHost = 6
    /// Unused ones that a session keeps, of all origins, and at least as many as one origin may have.
    package var idleConnections = 128
    package var dialling = DialSettings()
    /// `tlsMinimumSupportedProtocolVersion` and its twin: what TLS is offered with.
    package var tlsVersions = TLSVersion.tls12...TLSVersion.tls13
    package var patience = ConnectionPool.Patience()
    /// Where downloads grow until they are finished.
    package var downloadDirectory = "/tmp"
    /// How many decoded bytes may wait for a slow delegate before the socket is held back.
    package var deliveryWindow = 2048 * 1024
    /// How many decoded bytes a task collects at most, for a caller who wants the body in one piece.
    package var collectedBytes: Int64 = 2 << 30
    package var limits = WireLimits()
    /// Whether credentials that let one task in serve others (`urlCredentialStorage`).
    package var keepsCredentials = true
    /// Nil where all is asked directly.
    @Rare package var proxies: ProxySettings?
    package var cookies = CookieUse()
    /// `multipathServiceType` is not `none`: connections are of multipath TCP where the system has it.
    package var usesMultipath = false
    /// There is a `urlCache`.
    package var hasCache = false

    package init() {}

    var window: DeliveryWindow { DeliveryWindow(bytes: deliveryWindow) }

    /// For requests to an origin that the task did not begin with: a redirect must not lead what lets the session in to
    /// any other origin (BEHAVIOUR 1.C3-additional). What is for the session's proxy stays: it is the same one.
    var forStrangers: ClientSettings {
        var settings = self
        let forProxy = "Proxy-Authorization"
        settings.additionalFields.leaveTarget()
        for value in additionalFields.values(forProxy) { settings.additionalFields.append(forProxy, value) }
        return settings
    }
}

/// One copy of them for all tasks of a session, each of which holds it.
package final class SharedSettings: Sendable {
    let value: ClientSettings

    package init(_ value: ClientSettings) { self.value = value }
}

/// Bounds on what a peer may make us hold.
package struct WireLimits: Equatable, Sendable {
    /// Status line and fields of one response, in bytes (BEHAVIOUR 2.I36).
    package var headBytes = 256 * 1024
    package var fieldCount = 5000
    /// Informational answers before the final one (BEHAVIOUR 2.I1).
    package var informationalResponses = 100
    /// A chunk-size line with its extensions.
    package var chunkLineBytes = 16 * 1024
    package var trailerBytes = 64 * 1024
    /// How much of an unwanted body is read to save its connection.
    package var drainBytes = 64 * 1024
    /// How long that may take.
    package var drainTime: Duration = .seconds(1)
    /// How long a body waits for the 100 that its request expects.
    package var continueTime: Duration = .seconds(1)

    package init() {}
}
