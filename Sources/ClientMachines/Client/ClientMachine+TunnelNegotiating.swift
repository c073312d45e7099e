import HTTPBasics
import MachineContract

/// What a token of Negotiate is wanted for that opens a tunnel.
enum TunnelNegotiation {
    /// To set out with what the session knows already.
    case setsOut(Authorization)
    /// To answer the proxy: nobody may have been asked yet.
    case challenge(Challenge, Credential, isKept: Bool, isUnasked: Bool)
    /// The proxy wants another one.
    case answer(ResponseHead)
    /// None: the proxy has proved itself, or has not.
    case proof
}

/// A proxy's Negotiate before it lets a connection through (BEHAVIOUR 2.A37-proxy). The system is asked on behalf of a
/// task that waits for the connection, as a user is: what it has begun ends with that task.
extension ClientMachine {
    func negotiate(_ step: NegotiateCall.Wish, for reason: TunnelNegotiation, _ dial: Dial, _ turn: inout Turn) {
        let first = pool.task(waitingFor: dial.id, dial.route)
        // Only where it was begun it can go on, and only until something else was begun in its place.
        let begun = dial.negotiator.flatMap { tasks[$0]?.negotiatesFor == dial.id ? $0 : nil }
        let task = if case .goOn = step { begun } else { first }
        guard let task, tasks[task]?.place?.route == dial.route else { return giveUp(dial, &turn) }
        let number = nextQuestionID()
        questions[number] = .dial(dial.id)
        dialQuestions[dial.id] = DialQuestion(id: number, task: task, kind: .system(reason))
        dials[dial.id]?.negotiator = task
        tasks[task]?.negotiatesFor = dial.id
        dials[dial.id]?.waitForSystem()
        turn.outputs.append(.negotiate(task, NegotiateCall(number: -number.value, step)))
        self.step(task, .connectionAsks(true), &turn)
    }

    func negotiate(
        with credential: Credential, for challenge: Challenge, isKept: Bool, isUnasked: Bool, _ dial: Dial,
        _ turn: inout Turn
    ) {
        negotiate(
            .begin(host: challenge.origin.host, credential.ofSystem),
            for: .challenge(challenge, credential, isKept: isKept, isUnasked: isUnasked), dial, &turn)
    }

    /// There is a connection, and nothing to say on it yet.
    func negotiateFirstToken(_ chosen: Authorization, _ dial: Dial, _ turn: inout Turn) {
        negotiate(.begin(host: chosen.origin.host, chosen.credential.ofSystem), for: .setsOut(chosen), dial, &turn)
    }

    func negotiated(_ number: QuestionID, _ answer: NegotiateAnswer, _ turn: inout Turn) {
        // The dial may be over: an expected race.
        guard case .dial(let id) = questions.removeValue(forKey: number),
            let (dial, question) = closeQuestion(of: id, &turn), case .system(let reason) = question.kind
        else { return }
        if case .token(let token) = answer { dials[id]?.login.negotiate.token = token }
        switch (reason, answer) {
        case (.setsOut(let chosen), .token): self.answer(id, chosen, &turn)
        case (.setsOut(let chosen), _): gaveUp(chosen, dial, &turn)
        case (.challenge(let challenge, let credential, let isKept, let isUnasked), .token):
            dials[id]?.login.negotiate.isNobodysChoice = isUnasked && credential.isTicket
            dials[id]?.login.negotiate.isGivenUp = false
            self.answer(id, authorization(credential, for: challenge, isKept: isKept), &turn)
        case (.challenge(let challenge, let credential, _, isUnasked: true), .refused) where credential.isTicket:
            raise(challenge, dial, &turn)
        case (.challenge(let challenge, _, _, _), _): rejected(challenge, dial, &turn)
        case (.answer, .token):
            // It is for that connection.
            if dial.isToConnectAgain { dials[id]?.login.negotiate.token = nil }
            self.answer(id, dial.login.sent?.authorization, &turn)
        case (.answer(let head), _):
            if let proxy = dial.route.tunnelled { judge(head, of: proxy, dial, &turn) }
        case (.proof, .complete) where !dial.isToConnectAgain: goOn(id, &turn)
        case (.proof, .complete): refused(id, because: "The proxy ended the connection.", &turn)
        case (.proof, _): refused(id, because: ProxyLogin.unproved, &turn)
        }
    }

    private func goOn(_ id: DialID, _ turn: inout Turn) {
        conclude(id, dials[id]?.proved(at: turn.now, &attempts, into: &turn.outputs), &turn)
    }

    /// The ticket has ended, say: the proxy is asked without, and says what follows from that.
    private func gaveUp(_ chosen: Authorization, _ dial: Dial, _ turn: inout Turn) {
        if let proxy = dial.route.tunnelled { admitted.proxies.refused(chosen, by: proxy) }
        if chosen.credential.isTicket { dials[dial.id]?.login.negotiate.hasTriedTicket = true }
        dials[dial.id]?.login.negotiate.isGivenUp = true
        answer(dial.id, nil, &turn)
    }
}
