import HTTPBasics
import MachineContract

/// Stage `negotiating`: the system is asked for a token, which may take long (BEHAVIOUR 2.A37).
extension TaskMachine {
    private func negotiate(_ step: NegotiateCall.Wish, for reason: TaskStage.Negotiation, _ turn: inout Turn) {
        negotiations += 1
        // What was begun before is over, and a token of it is none of this.
        if case .begin = step {
            hop.negotiate.token = nil
            if hop.proxyLogin != nil { hop.proxyNegotiate.token = nil }
        }
        stage = .negotiating(reason)
        timeouts.stopWaiting()
        turn.outputs.append(.negotiate(NegotiateCall(number: negotiations, step)))
    }

    /// Before anybody is asked, the tickets of the process are tried (BEHAVIOUR 2.A36): not where the URL names a user,
    /// who is not to be another one.
    ///
    /// - Returns: Whether they are.
    func triesTicket(for challenge: Challenge, _ turn: inout Turn) -> Bool {
        guard challenge.method == .negotiate, !hop.negotiate.hasTriedTicket,
            request.url.credential == nil || isNamedByRedirect
        else { return false }
        hop.negotiate.hasTriedTicket = true
        negotiate(.begin(host: challenge.origin.host, nil), for: .ticket(challenge), &turn)
        return true
    }

    /// A proxy is answered without a question: with those tickets, or with what it was named with.
    func negotiate(unasked credential: Credential, for challenge: Challenge, _ turn: inout Turn) {
        negotiate(
            .begin(host: challenge.origin.host, credential.ofSystem),
            for: credential.isTicket ? .ticket(challenge) : .credential(challenge, credential, isKept: true), &turn)
    }

    /// A credential answers the challenge, if the system makes a token of it.
    func negotiate(with credential: Credential, for challenge: Challenge, isKept: Bool, _ turn: inout Turn) {
        negotiate(
            .begin(host: challenge.origin.host, credential.ofSystem),
            for: .credential(challenge, credential, isKept: isKept), &turn)
    }

    /// There is a connection, and nothing to say on it yet.
    func negotiateFirstToken(_ turn: inout Turn) {
        let chosen = isSignedInByProxy ? chosenForProxy : chosenAuthorization
        guard let chosen else { return turn.outputs.append(.bug("signed in as nobody")) }
        negotiate(.begin(host: chosen.origin.host, chosen.credential.ofSystem), for: .setsOut, &turn)
    }

    /// Whether the answer says something to the system, which decides how it goes on.
    func negotiates(_ head: ResponseHead, _ turn: inout Turn) -> Bool {
        let isOfProxy = isSignedInByProxy
        guard isOfProxy || attempt.$authorization.isPresent else { return false }
        let sent = isOfProxy ? hop.proxyLogin?.sent : attempt.authorization
        guard let sent = sent?.authorization, sent.method == .negotiate else { return false }
        guard isOfProxy || head.status != 407 else { return false }
        if attempt.handshake != .done, let token = token(in: head, ofProxy: isOfProxy) {
            let asks = head.status == (isOfProxy ? 407 : 401)
            guard !asks || hop.handshakes < SignInHandshake.most else { return false }
            negotiate(.goOn(token), for: asks ? .answer : .proof, &turn)
            return true
        }
        // It has forgotten who we are, or wants to know it of each request (BEHAVIOUR 2.A32-again).
        guard attempt.handshake == .done, hop.handshakes < SignInHandshake.most,
            demands(in: head, ofProxy: isOfProxy).contains(where: { $0.method == .negotiate })
        else { return false }
        negotiate(.begin(host: sent.origin.host, sent.credential.ofSystem), for: .answer, &turn)
        return true
    }

    private func token(in head: ResponseHead, ofProxy isOfProxy: Bool) -> [UInt8]? {
        isOfProxy ? ChallengeSelection.proof(ofProxy: head) : ChallengeSelection.token(of: .negotiate, in: head)
    }

    private func demands(in head: ResponseHead, ofProxy isOfProxy: Bool) -> [ChallengeSelection.Offer] {
        guard isOfProxy else { return offers(in: head) }
        return attempt.forwarder.map { ChallengeSelection.challenges(of: $0, in: head, to: request) } ?? []
    }

    /// An answer that nobody waits for any more is an expected race.
    ///
    /// - Parameter isConnected: The task still has its connection.
    func negotiated(_ number: Int, _ answer: NegotiateAnswer, isConnected: Bool, _ turn: inout Turn) {
        guard case .negotiating(let reason) = stage, number == negotiations else { return }
        switch reason {
        case .setsOut: setsOut(answer, isConnected: isConnected, &turn)
        case .ticket(let challenge):
            switch answer {
            case .token(let token):
                hop[negotiateOfProxy: challenge.proxy != nil].isNobodysChoice = true
                authorize(with: .ticket, saying: token, for: challenge, isKept: true, &turn)
            case .absent: rejected(challenge, &turn)
            case .complete, .refused: challenged(challenge, &turn)
            }
        case .credential(let challenge, let credential, let isKept):
            if case .token(let token) = answer {
                hop[negotiateOfProxy: challenge.proxy != nil].isNobodysChoice = false
                authorize(with: credential, saying: token, for: challenge, isKept: isKept, &turn)
            } else {
                rejected(challenge, &turn)
            }
        case .answer:
            guard case .token(let token) = answer else { return judge(&turn) }
            let next = TaskStage.NextAttempt.handshake(.says(token))
            // The token is for this connection, which waits for as long as its answer is held back.
            let waits = needsStream && attempt.body.isHandedOver
            if waits { askForStream(then: next, &turn) } else { drain(then: next, &turn) }
        case .proof:
            if answer == .complete { return judge(&turn) }
            interrupt(unproved, &turn)
        }
    }

    private var unproved: Interruption {
        guard isSignedInByProxy else {
            let detail = "The server does not prove that it is the one that tickets are for."
            return .failed(.secureConnectionFailed, .peer, detail)
        }
        return .failed(.httpProxyConnectionFailure, .peer, ProxyLogin.unproved)
    }

    private func authorize(
        with credential: Credential, saying token: [UInt8], for challenge: Challenge, isKept: Bool, _ turn: inout Turn
    ) {
        let authorization = makeAuthorization(credential, for: challenge, isKept: isKept)
        hop[negotiateOfProxy: authorization.isOfProxy].token = token
        drain(then: authorization.isOfProxy ? .authorizedForProxy(authorization) : .authorized(authorization), &turn)
    }

    private func setsOut(_ answer: NegotiateAnswer, isConnected: Bool, _ turn: inout Turn) {
        let isOfProxy = isSignedInByProxy
        if case .token(let token) = answer {
            hop[negotiateOfProxy: isOfProxy].token = token
            guard isConnected, !isSuspended else { return beginAnew(&turn) }
            attempt.handshake = takeFirstToken(ofProxy: isOfProxy)
            return setOut(&turn)
        }
        // The ticket has ended, say: whoever asks now is told what follows from that.
        if let chosen = isOfProxy ? chosenForProxy : chosenAuthorization {
            if chosen.credential.isTicket { hop[negotiateOfProxy: isOfProxy].hasTriedTicket = true }
            if isOfProxy, let proxy = forwardingProxy {
                admitted.proxies.refused(chosen, by: proxy)
            } else {
                admitted.refused(chosen)
            }
        }
        hop[negotiateOfProxy: isOfProxy].isGivenUp = true
        beginAnew(&turn)
    }

    private func beginAnew(_ turn: inout Turn) {
        turn.outputs.append(.withdraw)
        if isSuspended { stage = .idle } else { begin(&turn) }
    }

    func takeFirstToken(ofProxy isOfProxy: Bool) -> SignInHandshake? {
        hop[negotiateOfProxy: isOfProxy].takeToken().map { .says($0) }
    }
}
