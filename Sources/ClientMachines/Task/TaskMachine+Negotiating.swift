import HTTPBasics
import MachineContract

/// Stage `negotiating`: the system is asked for a token, which may take long (BEHAVIOUR 2.A37).
extension TaskMachine {
    private func negotiate(_ step: NegotiateCall.Wish, for reason: TaskStage.Negotiation, _ turn: inout Turn) {
        negotiations += 1
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

    /// A credential answers the challenge, if the system makes a token of it.
    func negotiate(with credential: Credential, for challenge: Challenge, isKept: Bool, _ turn: inout Turn) {
        negotiate(
            .begin(host: challenge.origin.host, credential.ofSystem),
            for: .credential(challenge, credential, isKept: isKept), &turn)
    }

    /// There is a connection, and nothing to say on it yet.
    func negotiateFirstToken(_ turn: inout Turn) {
        guard let chosen = chosenAuthorization else { return turn.outputs.append(.bug("signed in as nobody")) }
        negotiate(.begin(host: chosen.origin.host, chosen.credential.ofSystem), for: .setsOut, &turn)
    }

    /// Whether the answer says something to the system, which decides how it goes on.
    func negotiates(_ head: ResponseHead, _ turn: inout Turn) -> Bool {
        guard attempt.$authorization.isPresent, let sent = attempt.authorization?.authorization,
            sent.method == .negotiate
        else { return false }
        guard head.status != 407 else { return false }
        if let token = ChallengeSelection.token(of: .negotiate, in: head), attempt.handshake != .done {
            guard head.status != 401 || hop.handshakes < SignInHandshake.most else { return false }
            negotiate(.goOn(token), for: head.status == 401 ? .answer : .proof, &turn)
            return true
        }
        // It has forgotten who we are, or wants to know it of each request (BEHAVIOUR 2.A32-again).
        guard attempt.handshake == .done, hop.handshakes < SignInHandshake.most,
            ChallengeSelection.challenges(in: head, to: request).contains(where: { $0.method == .negotiate })
        else { return false }
        negotiate(.begin(host: sent.origin.host, sent.credential.ofSystem), for: .answer, &turn)
        return true
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
                hop.negotiate.isNobodysChoice = true
                authorize(with: .ticket, saying: token, for: challenge, isKept: true, &turn)
            case .absent: rejected(challenge, &turn)
            case .complete, .refused: challenged(challenge, &turn)
            }
        case .credential(let challenge, let credential, let isKept):
            if case .token(let token) = answer {
                hop.negotiate.isNobodysChoice = false
                authorize(with: credential, saying: token, for: challenge, isKept: isKept, &turn)
            } else {
                rejected(challenge, &turn)
            }
        case .answer:
            if case .token(let token) = answer { drain(then: .handshake(.says(token)), &turn) } else { judge(&turn) }
        case .proof:
            guard answer == .complete else {
                let detail = "The server does not prove that it is the one that tickets are for."
                return interrupt(.failed(.secureConnectionFailed, .peer, detail), &turn)
            }
            judge(&turn)
        }
    }

    private func authorize(
        with credential: Credential, saying token: [UInt8], for challenge: Challenge, isKept: Bool, _ turn: inout Turn
    ) {
        hop.negotiate.token = token
        drain(then: .authorized(makeAuthorization(credential, for: challenge, isKept: isKept)), &turn)
    }

    private func setsOut(_ answer: NegotiateAnswer, isConnected: Bool, _ turn: inout Turn) {
        if case .token(let token) = answer {
            hop.negotiate.token = token
            guard isConnected, !isSuspended else { return beginAnew(&turn) }
            attempt.handshake = takeFirstToken()
            return setOut(&turn)
        }
        // The ticket has ended, say: whoever asks now is told what follows from that.
        if let chosen = chosenAuthorization {
            if chosen.credential.isTicket { hop.negotiate.hasTriedTicket = true }
            admitted.refused(chosen)
        }
        hop.negotiate.isGivenUp = true
        beginAnew(&turn)
    }

    private func beginAnew(_ turn: inout Turn) {
        turn.outputs.append(.withdraw)
        if isSuspended { stage = .idle } else { begin(&turn) }
    }

    func takeFirstToken() -> SignInHandshake? {
        defer { hop.negotiate.token = nil }
        return hop.negotiate.token.map { .says($0) }
    }
}
