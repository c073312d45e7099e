import HTTPBasics
import MachineContract

/// Connections that a proxy lets through, and what it asks before (BEHAVIOUR 2.E4, 2.A40).
extension ClientMachine {
    func tunnel(_ dial: Dial, _ turn: inout Turn) {
        dials[dial.id]?.login.startOver()
        ask(dial, dial.login.next, &turn)
    }

    /// Asks the proxy, with what its user gave for it, or what the session has from another task.
    func ask(_ dial: Dial, _ given: Authorization?, _ turn: inout Turn) {
        var kept = dial.route.tunnelled.flatMap { admitted.proxies[$0] }
        if kept?.method == .negotiate, dial.login.negotiate.isGivenUp { kept = nil }
        if let chosen = given ?? kept, chosen.method == .negotiate, dial.login.negotiate.token == nil {
            return negotiateFirstToken(chosen, dial, &turn)
        }
        dials[dial.id]?.login.sign(.tunnel(to: dial.route.origin), given, else: kept, at: turn.moment)
        let value = dials[dial.id]?.login.sent?.value
        let outcome = dials[dial.id]?.askProxy(value, at: turn.now, &attempts, into: &turn.outputs)
        if let outcome { conclude(dial.id, outcome, &turn) }
    }

    /// The proxy wants to know who asks (BEHAVIOUR 2.A39).
    func asked(by head: ResponseHead, _ dial: Dial, _ turn: inout Turn) {
        guard let proxy = dial.route.tunnelled else { return }
        if let message = dials[dial.id]?.login.nextMessage(head) { return answer(dial.id, message, &turn) }
        if !dial.isToConnectAgain, let token = dials[dial.id]?.login.nextToken(head) {
            return negotiate(.goOn(token), for: .answer(head), dial, &turn)
        }
        judge(head, of: proxy, dial, &turn)
    }

    func judge(_ head: ResponseHead, of proxy: Proxy, _ dial: Dial, _ turn: inout Turn) {
        let origin = dial.route.origin
        let url = URLReference(scheme: origin.scheme, host: origin.host, port: origin.port)
        let verdict = dials[dial.id]?.login.judge(
            head, of: proxy, to: .tunnel(to: origin), admitted.proxies,
            Response(head: head, url: url, expectedLength: nil))
        carryOut(verdict ?? .giveUp, dial, &turn)
    }

    func carryOut(_ verdict: ProxyLogin.Reaction, _ dial: Dial, _ turn: inout Turn) {
        switch verdict {
        case .answer(let authorization): answer(dial.id, authorization, &turn)
        case .negotiate(let challenge, let credential):
            negotiate(with: credential, for: challenge, isKept: true, isUnasked: true, dial, &turn)
        case .ask(let challenge): raise(challenge, dial, &turn)
        case .giveUp: refused(dial.id, &turn)
        }
    }

    func raise(_ challenge: Challenge, _ dial: Dial, _ turn: inout Turn) {
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
            dials[dialID]?.informant = question.task
            if challenge.method == .negotiate {
                return negotiate(with: credential, for: challenge, isKept: isKept, isUnasked: false, dial, &turn)
            }
            self.answer(dialID, authorization(credential, for: challenge, isKept: isKept), &turn)
        case .cancel:
            giveUp(dial, &turn)
            step(question.task, .cancel(keepingResumeData: false), &turn)
        case .rejectProtectionSpace:
            rejected(challenge, dial, &turn)
        case .use(nil, _), .performDefaultHandling: refused(dialID, &turn)
        }
    }

    func authorization(_ credential: Credential, for challenge: Challenge, isKept: Bool) -> Authorization {
        Authorization(
            credential, for: challenge, isKept: isKept && settings.keepsCredentials, generation: admitted.generation)
    }

    func rejected(_ challenge: Challenge, _ dial: Dial, _ turn: inout Turn) {
        let verdict = dials[dial.id]?.login.rejected(
            challenge, of: dial.route.tunnelled, to: .tunnel(to: dial.route.origin))
        carryOut(verdict ?? .giveUp, dial, &turn)
    }

    func answer(_ id: DialID, _ authorization: Authorization?, _ turn: inout Turn) {
        guard let dial = dials[id] else { return }
        guard dial.isToConnectAgain else { return ask(dial, authorization, &turn) }
        dials[id]?.login.next = authorization
        dials[id]?.connectAgain(&attempts, into: &turn.outputs)
    }

    /// Nobody lets it through: its answer is none of the server's (BEHAVIOUR 2.A40).
    func refused(
        _ id: DialID, because detail: String = "The proxy wants another user name or password.", _ turn: inout Turn
    ) {
        dials[id]?.end(&attempts, into: &turn.outputs)
        conclude(id, .failed(.httpsProxyConnectionFailure, detail: detail), &turn)
    }

    /// The proxy has let a connection through with what it was told.
    func letThrough(_ dial: Dial, _ turn: inout Turn) {
        guard let proxy = dial.route.tunnelled, let sent = dial.login.sent, let head = dial.admission,
            admitted.heard(head, about: sent, from: proxy), let task = dial.informant, tasks[task] != nil
        else { return }
        turn.outputs.append(.tell(task, .letIn(.proxy)))
    }
}
