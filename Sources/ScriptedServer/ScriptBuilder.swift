import ServerScript
import TLSBasics

/// Writes a server's script, line by line.
///
/// `expect` and its short forms add steps: each must happen, in order, exactly as often as it says. Steps without
/// a connection name may come over any connection; a name binds the next fresh connection and demands the same one
/// from then on. `route` answers any number of times what no step expects.
public struct ScriptBuilder: Sendable {
    package private(set) var script = Script()
    /// Mistakes in a reply that cannot be seen in the script.
    private(set) var complaints: [String] = []

    init() {}

    // MARK: - TLS

    /// The host speaks TLS, and its URLs are `https`. What cannot be played makes the server's start throw.
    ///
    /// - Parameters:
    ///   - certificate: What it shows of itself. Clients of a good one have to trust the authority
    ///     `ServerCertificate.authority`.
    ///   - staple: The OCSP response that it brings along for clients that ask for one; nil for none.
    ///   - versions: Those that it speaks.
    ///   - ciphers: The cipher suites that it takes, the best first, by OpenSSL's names, such as
    ///     `TLS_AES_128_GCM_SHA256` (TLS 1.3) and `ECDHE-RSA-AES128-GCM-SHA256` (below); if none is
    ///     of TLS 1.3, or none of those below it, there the usual ones.
    ///   - clientCertificate: Whether it wants a certificate of the client, and what becomes of it.
    ///   - protocols: What it can speak over TLS (ALPN), the best first; a client that offers others only is refused.
    ///     Without any, what a client offers is ignored. Whatever is agreed upon, HTTP/1.1 is spoken.
    ///   - tickets: How many sessions a client is given to go on with, 0 to 8. TLS 1.2 has one at most.
    ///   - recordSize: The most bytes that one record protects, 1 to 16,384, of the first 64 KiB. If nil, 1,400 of the
    ///     first 8 KiB behind a request, and of the rest as many as go in.
    ///   - fault: What goes wrong while a connection is secured.
    ///   - host: A host of the script; the first if nil.
    public mutating func secure(
        _ certificate: ServerCertificate = .valid, staple: StapledResponse? = nil,
        versions: ClosedRange<ServerTLSVersion> = .tls12 ... .tls13, ciphers: [String] = [],
        clientCertificate: ClientCertificateDemand = .none, protocols: [String] = ["http/1.1"], tickets: Int = 2,
        recordSize: Int? = nil, fault: ServerHandshakeFault? = nil, host: String? = nil
    ) {
        guard let host = host ?? script.hosts.first else { return }
        var tls = HostTLS(certificate.preset)
        tls.staple = staple?.preset
        tls.versions = versions.lowerBound.version...versions.upperBound.version
        tls.ciphers = ciphers.compactMap { name in
            let suite = CipherSuite(rawValue: name)
            if suite == nil { complaints.append("there is no cipher suite '\(name)' to limit a server to") }
            return suite
        }
        tls.clientCertificate = clientCertificate.demand
        tls.applicationProtocols = protocols
        tls.tickets = tickets
        tls.recordSize = recordSize
        tls.fault = fault?.fault
        script.tls[host] = tls
    }

    // MARK: - Steps

    /// The next request is this one, and is answered so.
    ///
    /// - Parameters:
    ///   - method: The method, compared exactly.
    ///   - target: Path and query as sent; a `*` at the end matches any rest, `{name}` a segment of the path, or a part
    ///     of one, and `{name*}` at the end all that is left of it.
    ///   - rules: Further conditions.
    ///   - connection: A name for the connection that must bring it.
    ///   - host: The host of the script that must be asked; the first if nil.
    ///   - times: How often it happens.
    ///   - reply: What the server does.
    public mutating func expect(
        _ method: String, _ target: String, where rules: [RequestRule] = [], on connection: String? = nil,
        host: String? = nil, times: Int = 1, reply: ServerReply
    ) {
        let exchange = reply.exchange(for: match(method, target, rules))
        script.steps.append(Step(.exchange(exchange), lane: connection, host: host, times: times))
        note(reply, rules, "step \(script.steps.count)\(ScriptBuilder.name(exchange))")
    }

    /// Expects a GET.
    public mutating func get(
        _ target: String, where rules: [RequestRule] = [], on connection: String? = nil, times: Int = 1,
        reply: ServerReply
    ) {
        expect("GET", target, where: rules, on: connection, times: times, reply: reply)
    }

    /// Expects a HEAD.
    public mutating func head(
        _ target: String, where rules: [RequestRule] = [], on connection: String? = nil, times: Int = 1,
        reply: ServerReply
    ) {
        expect("HEAD", target, where: rules, on: connection, times: times, reply: reply)
    }

    /// Expects a POST.
    public mutating func post(
        _ target: String, where rules: [RequestRule] = [], on connection: String? = nil, times: Int = 1,
        reply: ServerReply
    ) {
        expect("POST", target, where: rules, on: connection, times: times, reply: reply)
    }

    /// Expects a PUT.
    public mutating func put(
        _ target: String, where rules: [RequestRule] = [], on connection: String? = nil, times: Int = 1,
        reply: ServerReply
    ) {
        expect("PUT", target, where: rules, on: connection, times: times, reply: reply)
    }

    /// Expects a DELETE.
    public mutating func delete(
        _ target: String, where rules: [RequestRule] = [], on connection: String? = nil, times: Int = 1,
        reply: ServerReply
    ) {
        expect("DELETE", target, where: rules, on: connection, times: times, reply: reply)
    }

    /// The next connection is accepted, and this happens to it before anything is read.
    ///
    /// - Parameters:
    ///   - effect: What happens.
    ///   - span: Only after the connection has been idle so long; at once if nil.
    ///   - connection: A name for the connection.
    ///   - host: The host of the script that must be asked; the first if nil.
    public mutating func accept(
        then effect: AcceptEffect, afterIdle span: Duration? = nil, on connection: String? = nil, host: String? = nil
    ) {
        let fault = Fault(at: span.map { .idle($0) } ?? .accept, do: effect.effect)
        script.steps.append(Step(.accept(fault), lane: connection, host: host))
    }

    // MARK: - Routes

    /// Answers such requests any number of times, also never; the first route that matches wins.
    ///
    /// - Parameters:
    ///   - method: The method, compared exactly; nil for any. A HEAD is answered as its GET would be, without the body,
    ///     unless a route says something of HEAD.
    ///   - target: As that of `expect`.
    ///   - rules: Further conditions.
    ///   - host: The host of the script that must be asked; the first if nil.
    ///   - times: How often it answers before later routes do; nil for ever.
    ///   - reply: What the server does.
    public mutating func route(
        _ method: String? = nil, _ target: String, where rules: [RequestRule] = [], host: String? = nil,
        times: Int? = nil, reply: ServerReply
    ) {
        let exchange = reply.exchange(for: match(method, target, rules))
        script.routes.append(Route(exchange, host: host, times: times))
        note(reply, rules, "route \(script.routes.count)\(ScriptBuilder.name(exchange))")
    }

    /// Answers what nothing else matches; without it such a request is a violation.
    public mutating func otherwise(_ reply: ServerReply) {
        script.otherwise = reply.answer
        if !reply.changes.isEmpty { complaints.append("otherwise: what it answers changes no state") }
        note(reply, [], "otherwise")
    }

    /// Lets pages of other origins read every answer (CORS), and answers browsers that ask whether they may.
    public mutating func cors() { script.isShared = true }

    // MARK: - Reading

    /// What many clients do wrong in a request's head, and every server understands, is taken for what is meant, and a
    /// client that waits for 100 (Continue) gets one. Without this such a request is a violation.
    public mutating func readLeniently() { script.reading = .lenient }

    // MARK: - Hosts

    /// Names the hosts; each listens on a socket of its own. Steps and routes without a host belong to the first.
    public mutating func hosts(_ names: String...) { script.hosts = names }

    /// Without a listener: every connection to this host is refused (RST). Its address is kept from others.
    public mutating func refuseConnections(to host: String) {
        script.listenFaults[host] = Fault(at: .listen, do: .reset)
    }

    /// The backlog of this host is full: no attempt to connect is ever answered.
    public mutating func neverAnswerConnections(to host: String) {
        script.listenFaults[host] = Fault(at: .listen, do: .stall)
    }

    /// The host is an HTTP proxy for the other ones.
    ///
    /// A request with an absolute URL is for the steps and routes of this host, where the target is written as
    /// `$origin.b.test/path`, else for those of the host that the URL names. CONNECT (target `$origin.b.test`) is
    /// answered with 200 where no step or route has another answer; behind a 2xx the connection is one to that host.
    ///
    /// One that is secured with `secure(host:…)` is spoken to over TLS, and the TLS of a host lies within that.
    public mutating func httpProxy(_ host: String) { script.proxies[host] = .http }

    /// The host is a SOCKS proxy for the other ones, of versions 4, 4a and 5.
    ///
    /// - Parameters:
    ///   - host: A host of the script.
    ///   - user: Who may use it; nil for everybody.
    ///   - password: The user's password, which version 4 does not know.
    public mutating func socksProxy(_ host: String, user: String? = nil, password: String = "") {
        let credentials = user.map { BasicCredentials(user: $0, password: password) }
        script.proxies[host] = .socks(SocksRule(credentials: credentials))
    }

    private mutating func note(_ reply: ServerReply, _ rules: [RequestRule], _ place: String) {
        let found = [reply.complaint] + rules.map(\.complaint)
        complaints += found.compactMap(\.self).map { "\(place): \($0)" }
    }

    private func match(_ method: String?, _ target: String, _ rules: [RequestRule]) -> RequestMatch {
        var match = RequestMatch(method, target)
        for rule in rules { rule.apply(&match) }
        return match
    }
}
