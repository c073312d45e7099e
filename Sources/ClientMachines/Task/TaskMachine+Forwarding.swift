import HTTPBasics
import MachineContract

/// The proxy that reads a request and sends it on, and asks who it is for (BEHAVIOUR 2.A39).
extension TaskMachine {
    /// What goes along to it.
    func signForProxy(_ proxy: Proxy, at moment: Moment) {
        var login = hop.proxyLogin ?? ProxyLogin()
        let handshake = connectionUser?.isOfProxy ?? false ? attempt.handshake : nil
        login.sign(.request(request), given(for: proxy), else: admitted.proxies[proxy], handshake, at: moment)
        hop.proxyLogin = login
    }

    /// What this task was given for it.
    private func given(for proxy: Proxy) -> Authorization? {
        proxyAuthorization.flatMap { $0.origin == proxy.place ? $0 : nil }
    }

    /// Whose connections the present request wants. A connection is signed in for one user: one of the proxy that sends
    /// the request on comes before one of the server (BEHAVIOUR 2.A32-proxy).
    var chosenUser: ConnectionUser? {
        if settings.$proxies.isPresent, let user = userOfForwarder { return user }
        return mayBeAuthorized ? chosenAuthorization?.connectionUser : nil
    }

    private var userOfForwarder: ConnectionUser? {
        guard let proxies = settings.proxies, let origin = request.url.origin, let proxy = proxies.proxy(for: origin),
            proxy.forwards(origin)
        else { return nil }
        return (given(for: proxy) ?? admitted.proxies[proxy])?.connectionUser
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
        let login = hop.proxyLogin ?? ProxyLogin()
        if !carryOut(login.rejected(challenge, of: attempt.forwarder, to: .request(request)), &turn) {
            deliverResponse(&turn)
        }
    }

    private func carryOut(_ verdict: ProxyLogin.Reaction, _ turn: inout Turn) -> Bool {
        switch verdict {
        case .answer(let authorization): drain(then: .authorizedForProxy(authorization), &turn)
        case .ask(let challenge): challenged(challenge, &turn)
        case .giveUp: return false
        }
        return true
    }
}
