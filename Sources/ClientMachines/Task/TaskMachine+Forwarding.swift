import HTTPBasics
import MachineContract

/// The proxy that reads a request and sends it on, and asks who it is for (BEHAVIOUR 2.A39).
extension TaskMachine {
    /// What this task was given for it, else what the session has from another one.
    func signForProxy(_ proxy: Proxy, entropy: UInt64) {
        var login = hop.proxyLogin ?? ProxyLogin()
        let own = proxyAuthorization.flatMap { $0.origin == proxy.place ? $0 : nil }
        let authorization = own ?? admitted.proxies[proxy]
        let sent = authorization?.signed(
            method: request.method, target: RequestWriter.target(of: request.url, isAbsolute: true),
            body: request.bytesAtHand, entropy: entropy)
        login.send(authorization, isInherited: own == nil, as: sent)
        hop.proxyLogin = login
    }

    /// Whether the answer is a question of the proxy's.
    func judge(_ head: ResponseHead, of proxy: Proxy, _ turn: inout Turn) -> Bool {
        var login = hop.proxyLogin ?? ProxyLogin()
        defer { hop.proxyLogin = login }
        guard head.status == 407 else {
            if let sent = login.sent { admitted.proxies.heard(head, about: sent, from: proxy, settings) }
            return false
        }
        let offers = ChallengeSelection.challenges(of: proxy, in: head, to: request)
        if let renewed = login.renewed(by: offers) {
            drain(then: .authorizedForProxy(renewed), &turn)
            return true
        }
        if let sent = login.sent {
            login.refused()
            admitted.proxies.refused(sent.authorization, by: proxy)
        }
        guard let offer = offers.first else { return false }
        let challenge = Challenge(
            of: proxy, offer, login, makeResponse(head, length: attempt.bodyLength), isForSecure: false)
        if let own = challenge.proposed {
            // What the session was given for its proxy needs no question (BEHAVIOUR 2.A39-own).
            drain(then: .authorizedForProxy(Authorization(own, for: challenge, isKept: true)), &turn)
        } else {
            challenged(challenge, &turn)
        }
        return true
    }

    /// The next space of the same answer has its turn, after the last one the answer itself (BEHAVIOUR 2.A4-reject).
    func rejectedProxy(_ challenge: Challenge, _ turn: inout Turn) {
        guard let proxy = attempt.forwarder, let head = attempt.head else { return deliverResponse(&turn) }
        let offers = ChallengeSelection.challenges(of: proxy, in: head, to: request)
        guard let next = challenge.next(of: offers) else { return deliverResponse(&turn) }
        challenged(next, &turn)
    }
}
