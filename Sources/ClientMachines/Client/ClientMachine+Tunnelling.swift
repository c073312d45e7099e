import HTTPBasics
import MachineContract
import NIOCore

/// Connections that a proxy lets through, and what it asks before (BEHAVIOUR 2.E4, 2.A40).
extension ClientMachine {
    func tunnel(_ dial: Dial, _ turn: inout Turn) {
        if let next = dial.login.next { return ask(dial, next, isInherited: false, &turn) }
        ask(dial, dial.route.tunnelled.flatMap { admitted.proxies[$0] }, isInherited: true, &turn)
    }

    /// Asks the proxy, with or without a credential.
    private func ask(_ dial: Dial, _ authorization: Authorization?, isInherited: Bool, _ turn: inout Turn) {
        // It has no body, and that can be signed, too.
        let sent = authorization?.signed(
            method: "CONNECT", target: RequestWriter.connectTarget(of: dial.route.origin),
            body: ByteBuffer().readableBytesView, entropy: turn.moment.entropy)
        dials[dial.id]?.login.send(authorization, isInherited: isInherited, as: sent)
        let outcome = dials[dial.id]?.askProxy(sent?.value, at: turn.now, &attempts, into: &turn.outputs)
        if let outcome { conclude(dial.id, outcome, &turn) }
    }

    /// The proxy wants to know who asks (BEHAVIOUR 2.A39).
    func asked(by head: ResponseHead, _ dial: Dial, _ turn: inout Turn) {
        guard let proxy = dial.route.tunnelled else { return }
        let offers = ChallengeSelection.challenges(of: proxy, in: head)
        if let renewed = dials[dial.id]?.login.renewed(by: offers) { return answer(dial.id, renewed, &turn) }
        if let sent = dials[dial.id]?.login.sent {
            dials[dial.id]?.login.refused()
            admitted.proxies.refused(sent.authorization, by: proxy)
        }
        guard let offer = offers.first, let login = dials[dial.id]?.login else { return refused(dial.id, &turn) }
        let origin = dial.route.origin
        let url = URLReference(scheme: origin.scheme, host: origin.host, port: origin.port)
        let challenge = Challenge(
            of: proxy, offer, login, Response(head: head, url: url, expectedLength: nil), isForSecure: true)
        raise(challenge, dial, &turn)
    }

    private func raise(_ challenge: Challenge, _ dial: Dial, _ turn: inout Turn) {
        // What the session was given for its proxy needs no question (BEHAVIOUR 2.A39-own).
        if let own = challenge.proposed {
            return answer(dial.id, Authorization(own, for: challenge, isKept: true), &turn)
        }
        guard let task = pool.task(waitingFor: dial.id, dial.route), let slot = tasks[task] else {
            return giveUp(dial, &turn)
        }
        guard slot.machine.asks.contains(.challenge) else { return refused(dial.id, &turn) }
        let number = nextQuestionID()
        questions[number] = .dial(dial.id)
        dialQuestions[dial.id] = DialQuestion(id: number, task: task, kind: .proxy(challenge))
        turn.outputs.append(.ask(task, number, .challenge(challenge)))
        step(task, .connectionAsks(true), &turn)
    }

    func answered(_ dialID: DialID, _ answer: ChallengeAnswer, _ turn: inout Turn) {
        guard let (dial, question) = closeQuestion(of: dialID, &turn), case .proxy(let challenge) = question.kind else {
            return
        }
        switch answer {
        case .use(let credential?, let isKept):
            self.answer(dialID, Authorization(credential, for: challenge, isKept: isKept), &turn)
        case .cancel:
            giveUp(dial, &turn)
            step(question.task, .cancel(keepingResumeData: false), &turn)
        case .rejectProtectionSpace:
            // The next space of the same answer has its turn (BEHAVIOUR 2.A4-reject).
            let offers = dial.route.tunnelled.map {
                ChallengeSelection.challenges(of: $0, in: challenge.response.head)
            }
            guard let next = challenge.next(of: offers ?? []) else { return refused(dialID, &turn) }
            raise(next, dial, &turn)
        case .use(nil, _), .performDefaultHandling: refused(dialID, &turn)
        }
    }

    private func answer(_ id: DialID, _ authorization: Authorization, _ turn: inout Turn) {
        guard let dial = dials[id] else { return }
        guard dial.isToConnectAgain else { return ask(dial, authorization, isInherited: false, &turn) }
        dials[id]?.login.next = authorization
        dials[id]?.connectAgain(&attempts, into: &turn.outputs)
    }

    /// Nobody lets it through: its answer is none of the server's (BEHAVIOUR 2.A40).
    private func refused(_ id: DialID, _ turn: inout Turn) {
        dials[id]?.end(&attempts, into: &turn.outputs)
        conclude(
            id, .failed(.httpsProxyConnectionFailure, detail: "The proxy wants another user name or password."), &turn)
    }

    /// The proxy has let a connection through with what it was told.
    func letThrough(_ dial: Dial) {
        guard let proxy = dial.route.tunnelled, let sent = dial.login.sent, let head = dial.admission else { return }
        admitted.proxies.heard(head, about: sent, from: proxy, settings)
    }
}
