import HTTPBasics
import MachineContract

/// Stage `asking`: the response is held back, the request timer stands still, one answer is awaited.
extension TaskMachine {
    func ask(_ question: TaskStage.Question, _ call: UserQuestion, _ turn: inout Turn) {
        stage = .asking(question)
        timeouts.stopWaiting()
        turn.outputs.append(.ask(call))
    }

    func redirected(to next: ClientRequest, _ turn: inout Turn) {
        // The form in which a URL is shown to its user has the letters of the DNS (BEHAVIOUR 2.B1-idna).
        let isOfDNS = next.url.host?.utf8.isASCII ?? true
        guard let head = attempt.head, plan.asks.contains(.redirect) || !isOfDNS else { return follow(next, &turn) }
        let response = attempt.supplied ?? makeResponse(head, length: attempt.bodyLength)
        ask(.redirect(next: next), .redirect(response, next: next), &turn)
    }

    /// The credential was right and what it was said with is out of date: it is said anew, and nobody is asked. A
    /// server that says so again and again refuses it (BEHAVIOUR 2.A6-stale).
    func renewedAuthorization(_ offers: [ChallengeSelection.Offer]) -> TaskStage.NextAttempt? {
        guard let sent = attempt.authorization, hop.mayRenew else { return nil }
        for offer in offers where sent.authorization.renew(for: offer) {
            hop.renewals += 1
            // What goes along unasked is renewed where the session keeps it, and is still nobody's choice here
            // (BEHAVIOUR 2.A24-refused).
            return sent.isInherited ? .renewed : .authorized(sent.authorization)
        }
        return nil
    }

    /// The challenge that a response raises, if it can be met at all (BEHAVIOUR 2.A5, 2.A6).
    func nextChallenge(_ offers: [ChallengeSelection.Offer], _ head: ResponseHead) -> Challenge? {
        guard let offered = offers.first else { return nil }
        if let sent = attempt.authorization {
            // A place that asks for another realm says nothing about this one.
            if offers.contains(where: { $0.realm == sent.authorization.realm }) {
                admitted.refused(sent.authorization)
            }
            hop.refused(sent, by: offered)
        }
        return challenge(offered, head)
    }

    /// What let this request in may let in others (BEHAVIOUR 2.A24).
    func noteAdmission(_ head: ResponseHead, _ turn: inout Turn) {
        guard let sent = attempt.authorization else { return }
        let isProved = sent.authorization.heard(
            AuthenticateHeader.info(head.fields.values("Authentication-Info")), about: sent)
        // A place that never asked is none that let anybody in, and what a redirect's URL brought is nobody's choice.
        let isOfRedirect = isNamedByRedirect && sent.authorization.credential == request.url.credential
        guard head.status < 400, sent.authorization.isKept, isProved, hop.wasAuthorized, !isOfRedirect else { return }
        if admitted.admitted(sent.authorization, at: request.url) { turn.outputs.append(.tell(.letIn(.server))) }
    }

    /// The URL's user information is the word of a server that has redirected to it (BEHAVIOUR 2.A19-redirect).
    var isNamedByRedirect: Bool {
        redirectCount > 0 && (request.url.credential != named || request.url.nominalOrigin != home)
    }

    private func challenge(_ offered: ChallengeSelection.Offer, _ head: ResponseHead) -> Challenge? {
        guard let origin = request.url.origin else { return nil }
        return Challenge(
            origin: origin, realm: offered.realm, method: offered.method,
            proposed: request.url.credential, isProposedByRedirect: isNamedByRedirect, refused: hop.refused,
            previousFailures: hop.failedCredentials, response: makeResponse(head, length: attempt.bodyLength))
    }

    func challenged(_ challenge: Challenge, _ turn: inout Turn) {
        if challenge.proxy == nil, triesTicket(for: challenge, &turn) { return }
        if plan.asks.contains(.challenge) {
            ask(.challenge(challenge), .challenge(challenge), &turn)
        } else {
            handleByDefault(challenge, &turn)
        }
    }

    /// Default handling: a credential of the URL that was not tried yet, else the 401 itself (BEHAVIOUR 2.A3).
    private func handleByDefault(_ challenge: Challenge, _ turn: inout Turn) {
        guard challenge.proxy == nil, let proposed = challenge.proposed else { return deliverResponse(&turn) }
        authorize(with: proposed, for: challenge, isKept: true, &turn)
    }

    private func authorize(
        with credential: Credential, for challenge: Challenge, isKept: Bool, _ turn: inout Turn
    ) {
        if challenge.method == .negotiate {
            return negotiate(with: credential, for: challenge, isKept: isKept, &turn)
        }
        let authorization = makeAuthorization(credential, for: challenge, isKept: isKept)
        drain(then: challenge.proxy == nil ? .authorized(authorization) : .authorizedForProxy(authorization), &turn)
    }

    func makeAuthorization(_ credential: Credential, for challenge: Challenge, isKept: Bool) -> Authorization {
        Authorization(
            credential, for: challenge, isKept: isKept && settings.keepsCredentials, generation: admitted.generation)
    }

    func answered(_ answer: UserAnswer, _ turn: inout Turn) {
        // A late or second answer is an expected race: the question is closed, nothing happens.
        guard case .asking(let question) = stage else { return }
        tellSent(&turn)
        switch (question, answer) {
        case (.redirect, .redirect(let next?)):
            follow(next, &turn)
        case (.cookies(let origin), .cookies(let field)):
            answered(field, for: origin, &turn)
        case (.kept(let origin), .kept(let responses)):
            answered(responses, for: origin, &turn)
        case (.willCache, .willCache):
            finish(nil, &turn)
        case (.redirect, .redirect(nil)):
            if !loadsStoppedRedirect(&turn) { deliverResponse(&turn) }
        case (.response, .response(let allow)):
            if allow {
                receiveBody(&turn)
            } else {
                interrupt(.cancelled(keepingResumeData: false), &turn)
            }
        case (.response, .becomeDownload):
            becomeDownload(&turn)
        case (.delayedRequest, .delayedRequest(let answer)):
            answered(answer, &turn)
        case (.loadChallenge, .loadChallenge(let answer)):
            answeredLoadChallenge(answer, &turn)
        case (.bodyStream(let next), .body(let body)):
            answered(body, then: next, &turn)
        case (.challenge(let challenge), .challenge(let answer)):
            answered(challenge, with: answer, &turn)
        default:
            turn.outputs.append(.bug("answer of another kind than its question"))
        }
    }

    private func answered(_ challenge: Challenge, with answer: ChallengeAnswer, _ turn: inout Turn) {
        switch answer {
        case .use(let credential?, let isKept):
            authorize(with: credential, for: challenge, isKept: isKept, &turn)
        case .performDefaultHandling:
            handleByDefault(challenge, &turn)
        case .use(nil, _):
            deliverResponse(&turn)
        case .rejectProtectionSpace:
            rejected(challenge, &turn)
        case .cancel:
            interrupt(.cancelled(keepingResumeData: false), &turn)
        }
    }

    /// The next space of the same answer has its turn, after the last one the answer itself (BEHAVIOUR 2.A4-reject).
    func rejected(_ challenge: Challenge, _ turn: inout Turn) {
        if challenge.proxy != nil { return rejectedProxy(challenge, &turn) }
        guard let next = challenge.next(of: offers(in: challenge.response.head)) else { return deliverResponse(&turn) }
        challenged(next, &turn)
    }

    /// The body has to be sent again, and its stream has been read (BEHAVIOUR 1.I4).
    ///
    /// - Parameter next: What the answer that is held back leads to.
    func askForStream(then next: TaskStage.NextAttempt? = nil, _ turn: inout Turn) {
        if let resumable, resumable.phase == .appending {
            guard plan.asks.contains(.bodyStreamFrom) else { return answered(nil, then: next, &turn) }
            return ask(.bodyStream(then: next), .bodyStreamFrom(offset: resumable.offset), &turn)
        }
        if plan.asks.contains(.bodyStream) {
            ask(.bodyStream(then: next), .bodyStream, &turn)
        } else {
            answered(nil, then: next, &turn)
        }
    }

    private func answered(_ body: RequestBody?, then next: TaskStage.NextAttempt?, _ turn: inout Turn) {
        guard let body else {
            let detail = "The body must be sent again, and there is no new stream for it."
            return interrupt(.failed(.requestBodyStreamExhausted, .caller, detail), &turn)
        }
        request.body = body
        if let next { return drain(then: next, &turn) }
        if isSuspended { stage = .idle } else { begin(&turn) }
    }

    /// Whether an allowed response ends with its body, untouched, and nothing else is told: the connection may then
    /// look ahead for it.
    var isForeseeable: Bool {
        attempt.decoder == nil && attempt.body.isTold && plan.metrics != .told && !attempt.isCollected
    }

    func askAboutResponse(_ response: Response, _ turn: inout Turn) {
        ask(.response, .response(response), &turn)
    }
}
