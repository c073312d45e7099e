import HTTPBasics
import MachineContract
import NIOCore

/// Stage `awaitingHead`: the request goes out; the final head decides what the exchange becomes.
extension TaskMachine {
    func send(_ turn: inout Turn) {
        if mayBeAuthorized { attempt.authorization = makeAuthorization(at: turn.moment) }
        if let forwarder = attempt.forwarder { signForProxy(forwarder, at: turn.moment) }
        stage = .awaitingHead
        attempt.asked = turn.moment
        let offset = resumable.map { $0.phase == .appending ? $0.offset : 0 } ?? 0
        let outgoing = outgoing
        turn.outputs.append(.begin(attempt.body.begin(outgoing, from: attempt.handshake == .begins ? 0 : offset)))
        if attempt.body.awaitsContinue { attempt.continueDeadline = turn.now + settings.limits.continueTime }
        switch outgoing.body {
        case .stream, .composed: writeOn(&turn)
        case .bytes, .file, nil: break
        }
    }

    /// The body goes out with the last message only (BEHAVIOUR 2.A34).
    private var outgoing: ClientRequest {
        guard attempt.handshake == .begins, request.body != nil else { return request }
        var outgoing = request
        outgoing.body = nil
        return outgoing
    }

    /// What this task was given for the server, else what the session has from another one. A caller's own field is not
    /// replaced before the server asks (BEHAVIOUR 2.A26).
    private func makeAuthorization(at moment: Moment) -> SentAuthorization? {
        guard let chosen = chosenAuthorization else { return nil }
        if let user = chosen.connectionUser, user != connectionUser { return nil }
        var sent = chosen.signed(request, attempt.handshake, at: moment)
        sent?.isInherited = chosen != authorization
        return sent
    }

    /// Most sessions were never asked who they are.
    var mayBeAuthorized: Bool { $authorization.isPresent || !admitted.isEmpty }

    /// A connection is chosen by it, before anything is sent.
    var chosenAuthorization: Authorization? {
        if let authorization, authorization.origin == request.url.origin {
            return hop.gaveUp(authorization) ? nil : authorization
        }
        guard let inherited = admitted.authorization(for: request.url), !hop.gaveUp(inherited),
            !request.fields.contains("Authorization"),
            !(isAtHome && settings.additionalFields.contains("Authorization"))
        else { return nil }
        // Whoever names a user in the URL does not want to be another one.
        if let named = request.url.credential, named != inherited.credential { return nil }
        return inherited
    }

    /// Of the request that sets out.
    var head: OutgoingHead {
        var request = outgoing
        for field in hop.cachePhase.condition?.list ?? [] { request.fields.append(field.name, field.value) }
        var head = OutgoingHead(
            request: request, authorization: attempt.$authorization.isPresent ? attempt.authorization?.value : nil,
            cookies: attempt.cookies?.text,
            isAtHome: isAtHome, isPastCaches: plan.cacheRule == .reloadIgnoringLocalAndRemote)
        if attempt.$forwarder.isPresent {
            head.forwarder = ForwarderFields(
                authorization: hop.proxyLogin?.sent?.value, isSignedIn: connectionUser?.isOfProxy ?? false)
        }
        return head
    }

    /// The server wants the body, or says nothing about it: a request may not wait for ever (RFC 9110 10.1.1).
    func sendAwaitedBody(_ turn: inout Turn) {
        guard stage == .awaitingHead, attempt.body.awaitsContinue else { return }
        attempt.continueDeadline = nil
        attempt.body.goOn()
        writeOn(&turn)
    }

    func wrote(_ bytes: SentBytes, _ turn: inout Turn) {
        guard stage != .completed else { return }
        timeouts.progressed(at: turn.now)
        attempt.body.took(bytes)
        log?.wrote(bytes.wire, plainBody: attempt.body.sent, isWhole: attempt.body.isSent)
        if case .asking = stage {} else { tellSent(&turn) }
        writeOn(&turn)
    }

    /// Nothing is told while a question is open (BEHAVIOUR 1.B1-8): what left meanwhile is told with the answer.
    func tellSent(_ turn: inout Turn) {
        let bytes = attempt.body.takeUntold()
        guard bytes > 0 else { return }
        turn.outputs.append(.tell(.sentBody(bytes: bytes, total: attempt.body.sent, expected: attempt.body.expected)))
    }

    /// Hands over more of the body, as far as the window reaches. A suspended task sends nothing (BEHAVIOUR 1.D5).
    func writeOn(_ turn: inout Turn) {
        guard !isSuspended else { return }
        while let part = attempt.body.nextPart(of: bodyFile.ready) { turn.outputs.append(.send(part)) }
        if let file = attempt.body.awaitedFile { open(file, &turn) }
        if case .stream(let stream) = request.body, attempt.handshake != .begins, attempt.body.wantsRead() {
            lastStreamRead = stream
            turn.outputs.append(.readBody(stream))
        }
        guard stage == .awaitingHead else { return }
        // The caller's own stream or disk is slow: the peer is not to blame for silence (BEHAVIOUR 1.I1-slow).
        if attempt.body.waitsForCaller { timeouts.stopWaiting() } else { timeouts.startWaiting(at: turn.now) }
    }

    /// The answer to a read. One of an attempt that is over is an expected race: it is not awaited.
    func bodyRead(_ stream: BodyStreamID, _ piece: BodyPiece, _ turn: inout Turn) {
        guard request.body == .stream(stream), stage != .completed else { return }
        let mismatch: OutgoingBody.WrongLength?
        switch piece {
        case .bytes(let bytes): mismatch = attempt.body.read(bytes)
        case .end: mismatch = attempt.body.end()
        case .failed(let detail):
            guard attempt.body.isReading else { return }
            return interrupt(.failed(.requestBodyStreamExhausted, .caller, detail), &turn)
        }
        if let mismatch {
            let detail = "The body stream is \(mismatch.rawValue) than its Content-Length says."
            return interrupt(.failed(.requestBodyStreamExhausted, .caller, detail), &turn)
        }
        writeOn(&turn)
    }

    func receivedHeadEvent(_ event: ResponseEvent, _ turn: inout Turn) {
        switch event {
        case .informational(let head):
            turn.outputs.append(.tell(.informational(makeResponse(head, length: nil))))
            resumable?.learn(from: head, at: request.url)
            if head.status == 100 { sendAwaitedBody(&turn) }
        case .head(let head, let length):
            (attempt.head, attempt.bodyLength) = (head, length)
            log?.answered(makeResponse(head, length: length))
            storeCookies(of: head, &turn)
            forgetOutdated(by: head, &turn)
            let files = attempt.body.isHandedOver ? request.body?.files ?? [] : []
            confirm(files, &turn)
        case .failed(let failure):
            failedBeforeHead(failure, &turn)
        case .body, .end:
            turn.outputs.append(.bug("body before head"))
        }
    }

    /// Of every final answer: of a redirect and of a challenge, too, and before anything else comes of it, so that the
    /// next request has them (BEHAVIOUR 2.C10).
    private func storeCookies(of head: ResponseHead, _ turn: inout Turn) {
        guard settings.cookies.stores, request.handlesCookies, head.fields.contains("Set-Cookie") else { return }
        let lines = head.fields.values("Set-Cookie").prefix(CookieLimits().ofAnswer)
        turn.outputs.append(.storeCookies(lines.map { SecretText($0) }, from: request.url))
        cookies.mayHaveSome = true
    }

    /// The final head has come, and the body was what it had to be.
    func judgeHead(_ turn: inout Turn) {
        guard let head = attempt.head else { return turn.outputs.append(.bug("no head to judge")) }
        // A body that still waits now never leaves in this exchange (BEHAVIOUR 1.I2-final).
        attempt.continueDeadline = nil
        switch resumable?.judge(head) {
        case .append: return drain(then: .restOfUpload, &turn)
        case .ask: return drain(then: .offsetOfUpload, &turn)
        case .fail(let detail):
            resumable?.end()
            return interrupt(.failed(.networkConnectionLost, .peer, detail), &turn)
        case nil: break
        }
        if head.status == 417, request.expectsContinue {
            return drain(then: .withoutExpectation, &turn)
        }
        if negotiates(head, &turn) { return }
        judge(&turn)
    }

    /// What it says to the system is out of the way.
    func judge(_ turn: inout Turn) {
        guard let head = attempt.head else { return turn.outputs.append(.bug("no head to judge")) }
        if let next = nextMessage(head) { return drain(then: .handshake(next), &turn) }
        noteSignIn(head, &turn)
        if let forwarder = attempt.forwarder, judge(head, of: forwarder, &turn) { return }
        let offers = offers(in: head)
        if let renewed = renewedAuthorization(offers) { return drain(then: renewed, &turn) }
        if let challenge = nextChallenge(offers, head) { return challenged(challenge, &turn) }
        noteAdmission(head, &turn)
        if answersFromCache(head, &turn) { return }
        switch RedirectDecision.decide(request: request, head: head, count: redirectCount) {
        case .follow(let next) where !hop.isRedirectStopped:
            keepRedirect(head, &turn)
            redirected(to: next, &turn)
        case .fail(let kind, let detail, let url):
            failingURL = url
            interrupt(.failed(kind, .peer, detail), &turn)
        case .follow, .deliver:
            deliverResponse(&turn)
        }
    }

    /// Perhaps only a kept connection that had gone stale (BEHAVIOUR 1.E1).
    private func failedBeforeHead(_ failure: WireFailure, because cause: SecureFailure? = nil, _ turn: inout Turn) {
        if failure.isUnanswered, mayRetry || attempt.isReused && attempt.handshake == .begins {
            abandon(&turn)
            hop.needsFreshConnection = true
            return begin(&turn)
        }
        // What the server has of an upload, it need not be sent again (BEHAVIOUR 1.I6-loss).
        if failure.kind == .networkConnectionLost, let question = resumable?.question() {
            abandon(&turn)
            goOver(to: question, isDeclined: true)
            hop.needsFreshConnection = true
            return begin(&turn)
        }
        if cause == nil, standsIn(for: failure.kind, &turn) {
            abandon(&turn)
            return begin(&turn)
        }
        interrupt(cause.map { .broke($0) } ?? .failed(failure.kind, failure.blame, failure.detail), &turn)
    }

    /// An end like another, of which it is known what it was. A server that refuses us would do so again
    /// (BEHAVIOUR 2.B1-client).
    func connectionBroke(_ failure: SecureFailure, _ ending: WireFailure, _ turn: inout Turn) {
        switch stage {
        case .awaitingHead where !failure.isAboutUs: failedBeforeHead(ending, because: failure, &turn)
        // What is read past need not end well.
        case .draining where !failure.isAboutUs: received(.failed(ending), &turn)
        default: interrupt(.broke(failure), &turn)
        }
    }

    func makeResponse(_ head: ResponseHead, length: DeclaredLength?) -> Response {
        Response(head: head, url: resumable?.original.url ?? request.url, expectedLength: length)
    }
}
