import HTTPBasics
import MachineContract
import NIOCore

/// What a proxy was told of the user on one way to a server, or for one request, and what came of it: every 407 is
/// judged here (BEHAVIOUR 2.A39).
package struct ProxyLogin: Sendable {
    /// What a proxy is asked for.
    enum Errand {
        case tunnel(to: Origin)
        /// To be sent on.
        case request(ClientRequest)
    }

    /// What becomes of a 407.
    enum Reaction {
        /// The proxy is asked again, with this.
        case answer(Authorization)
        /// The system is asked for a token of Negotiate, to answer with.
        case negotiate(Challenge, Credential)
        /// Its user is asked.
        case ask(Challenge)
        /// Nobody can answer it.
        case giveUp
    }

    private static let mostRenewals = 4
    static let unproved = "The proxy does not prove that it is the one that tickets are for."

    /// What went along with what it was asked last.
    private(set) var sent: SentAuthorization?
    /// What goes along when the proxy is asked again on another connection.
    var next: Authorization?
    private(set) var failures = 0
    private(set) var tried = RefusedCredentials()
    private var renewals = 0
    /// How far the connection to it is signed in, which is to become a tunnel.
    private var handshake = SignInHandshake.begins
    private var handshakes = 0
    var negotiate = NegotiateProgress()

    package init() {}

    /// What goes along now: what its user was asked for, else what the session has from another task. The former has
    /// failed like what is refused if it cannot be said: it is not proposed again.
    ///
    /// - Parameter handshake: How far the connection is signed in, on which a request goes out.
    mutating func sign(
        _ errand: Errand, _ given: Authorization?, else kept: Authorization?, _ handshake: SignInHandshake? = nil,
        at moment: Moment
    ) {
        let chosen = given ?? kept
        if errand.isTunnel, chosen?.method == .negotiate {
            self.handshake = negotiate.takeToken().map { .says($0) } ?? .begins
        }
        let signed = chosen?.signed(
            method: errand.request.method, target: errand.target, body: errand.request.bytesAtHand,
            errand.isTunnel ? self.handshake : handshake, at: moment)
        sent = signed
        sent?.isInherited = given == nil
        guard let given, signed == nil else { return }
        failures += 1
        note(given)
    }

    /// It is another connection that is to become a tunnel.
    mutating func startOver() { handshake = .begins }

    /// The next message of NTLM where a 407 to a CONNECT has message 2 (BEHAVIOUR 2.A32-proxy).
    mutating func nextMessage(_ head: ResponseHead) -> Authorization? {
        let isBegun = handshake == .begins && sent?.authorization.method == .ntlm
        handshake = .begins
        guard isBegun, handshakes < SignInHandshake.most,
            let challenge = ChallengeSelection.handshake(in: head, ofProxy: true)
        else { return nil }
        handshakes += 1
        handshake = .goesOn(challenge)
        return sent?.authorization
    }

    /// The proxy's next token in a 407 to a CONNECT that one of ours was said with, if that may go on.
    mutating func nextToken(_ head: ResponseHead) -> [UInt8]? {
        guard sent?.authorization.method == .negotiate, handshakes < SignInHandshake.most,
            let token = ChallengeSelection.token(of: .negotiate, in: head, "Proxy-Authenticate")
        else { return nil }
        handshakes += 1
        return token
    }

    /// The proxy's proof in an answer that opens a tunnel.
    func proof(in head: ResponseHead) -> [UInt8]? {
        sent?.authorization.method == .negotiate ? ChallengeSelection.proof(ofProxy: head) : nil
    }

    /// What its 407 means.
    mutating func judge(
        _ head: ResponseHead, of proxy: Proxy, to errand: Errand, _ kept: ProxyCredentials, _ response: Response
    ) -> Reaction {
        let offers = ChallengeSelection.challenges(of: proxy, in: head, to: errand.request)
        if let renewed = renewed(by: offers) { return .answer(renewed) }
        if let sent {
            refused(sent)
            kept.refused(sent.authorization, by: proxy)
        }
        guard let offer = offers.first else { return .giveUp }
        return verdict(Challenge(of: proxy, offer, self, response, isForSecure: errand.isTunnel))
    }

    /// The next space of the same answer has its turn (BEHAVIOUR 2.A4-reject).
    mutating func rejected(_ challenge: Challenge, of proxy: Proxy?, to errand: Errand) -> Reaction {
        let offers = proxy.map {
            ChallengeSelection.challenges(of: $0, in: challenge.response.head, to: errand.request)
        }
        return challenge.next(of: offers ?? []).map { verdict($0) } ?? .giveUp
    }

    /// What the session was given for its proxy needs no question (BEHAVIOUR 2.A39-own), nor do the tickets of the
    /// process where nobody is named (BEHAVIOUR 2.A36).
    private mutating func verdict(_ challenge: Challenge) -> Reaction {
        let isOfSystem = challenge.method == .negotiate
        if let own = challenge.proposed {
            return isOfSystem ? .negotiate(challenge, own) : .answer(Authorization(own, for: challenge, isKept: true))
        }
        guard isOfSystem, !negotiate.hasTriedTicket, !challenge.isOfSomebody else { return .ask(challenge) }
        negotiate.hasTriedTicket = true
        return .negotiate(challenge, .ticket)
    }

    /// A credential went along, and the proxy asks for one: it has failed, unless the session had it from another task.
    private mutating func refused(_ sent: SentAuthorization) {
        let isTicket = sent.authorization.method == .negotiate && sent.authorization.credential.isTicket
        if isTicket { negotiate.hasTriedTicket = true }
        if !sent.isInherited, !isTicket || !negotiate.isNobodysChoice { failures += 1 }
        // Of Digest an inherited answer may be to a nonce that the proxy has forgotten, without a word about that.
        if !sent.isInherited || sent.use == nil { note(sent.authorization) }
    }

    private mutating func note(_ authorization: Authorization) {
        tried.add(authorization.credential, realm: authorization.realm, authorization.method)
    }

    /// The credential was right, and what it was said with is out of date (BEHAVIOUR 2.A6-stale).
    private mutating func renewed(by offers: [ChallengeSelection.Offer]) -> Authorization? {
        guard let sent, renewals < Self.mostRenewals else { return nil }
        for offer in offers where sent.authorization.renew(for: offer) {
            renewals += 1
            return sent.authorization
        }
        return nil
    }
}

extension ProxyLogin.Errand {
    var isTunnel: Bool { if case .tunnel = self { true } else { false } }

    /// A CONNECT has no body, and that can be signed, too.
    var request: ClientRequest {
        switch self {
        case .request(let request): request
        case .tunnel(let origin):
            ClientRequest(
                method: "CONNECT", url: URLReference(scheme: origin.scheme, host: origin.host, port: origin.port))
        }
    }

    /// As the request line has it.
    var target: String {
        switch self {
        case .request(let request): RequestWriter.target(of: request.url, isAbsolute: true)
        case .tunnel(let origin): RequestWriter.connectTarget(of: origin)
        }
    }
}
