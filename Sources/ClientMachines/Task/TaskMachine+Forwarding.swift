import HTTPBasics
import MachineContract

/// The proxy that reads a request and sends it on, and asks who it is for (BEHAVIOUR 2.A39).
extension TaskMachine {
    /// What goes along to it.
    func signForProxy(_ proxy: Proxy, at moment: Moment) {
        var login = hop.proxyLogin ?? ProxyLogin()
        let handshake = connectionUser?.isOfProxy ?? false ? attempt.handshake : nil
        login.sign(.request(request), given(for: proxy), else: kept(for: proxy), handshake, at: moment)
        hop.proxyLogin = login
    }

    /// What this task was given for it.
    private func given(for proxy: Proxy) -> Authorization? {
        proxyAuthorization.flatMap { $0.origin == proxy.place && !gaveUp($0) ? $0 : nil }
    }

    /// What the session has for it from another task.
    private func kept(for proxy: Proxy) -> Authorization? {
        admitted.proxies[proxy].flatMap { gaveUp($0) ? nil : $0 }
    }

    /// The system has no token for it.
    private func gaveUp(_ authorization: Authorization) -> Bool {
        authorization.method == .negotiate && hop.proxyLogin?.negotiate.isGivenUp ?? false
    }

    /// The proxy that would send the request on.
    var forwardingProxy: Proxy? {
        guard hop.$proxy.isPresent, let proxy = hop.proxy, let origin = request.url.origin, proxy.forwards(origin)
        else { return nil }
        return proxy
    }

    /// What goes along to a proxy that sends the request on.
    var chosenForProxy: Authorization? { forwardingProxy.flatMap { given(for: $0) ?? kept(for: $0) } }

    /// Whose connections the present request wants. A connection is signed in for one user: one of the proxy that sends
    /// the request on comes before one of the server (BEHAVIOUR 2.A32-proxy).
    var chosenUser: ConnectionUser? {
        if hop.$proxy.isPresent, let user = chosenForProxy?.connectionUser { return user }
        return mayBeAuthorized ? chosenAuthorization?.connectionUser : nil
    }

    /// Whether the answer is a question of the proxy's.
    func judge(_ head: ResponseHead, of proxy: Proxy, _ turn: inout Turn) -> Bool {
        var login = hop.proxyLogin ?? ProxyLogin()
        guard head.status == 407 else {
            if let sent = login.sent, admitted.heard(head, about: sent, from: proxy) {
                turn.outputs.append(.tell(.letIn(.proxy)))
            }
            return false
        }
        let response = makeResponse(head, length: attempt.bodyLength)
        let verdict = login.judge(head, of: proxy, to: .request(request), admitted.proxies, response)
        hop.proxyLogin = login
        return carryOut(verdict, &turn)
    }

    /// After the last space comes the answer itself (BEHAVIOUR 2.A4-reject).
    func rejectedProxy(_ challenge: Challenge, _ turn: inout Turn) {
        var login = hop.proxyLogin ?? ProxyLogin()
        let verdict = login.rejected(challenge, of: attempt.forwarder, to: .request(request))
        hop.proxyLogin = login
        if !carryOut(verdict, &turn) { deliverResponse(&turn) }
    }

    private func carryOut(_ verdict: ProxyLogin.Reaction, _ turn: inout Turn) -> Bool {
        switch verdict {
        case .answer(let authorization): drain(then: .authorizedForProxy(authorization), &turn)
        case .negotiate(let challenge, let credential): negotiate(unasked: credential, for: challenge, &turn)
        case .ask(let challenge): challenged(challenge, &turn)
        case .giveUp: return false
        }
        return true
    }
}
