import HTTPBasics
import MachineContract

/// Stage `draining`, and the next attempt: redirect, challenge or retry.
extension TaskMachine {
    func follow(_ next: ClientRequest, _ turn: inout Turn) {
        redirectCount += 1
        drain(then: .redirect(next), &turn)
    }

    /// Reads an unwanted body to save its connection, if that is not dearer than a new one.
    func drain(then next: TaskStage.NextAttempt, _ turn: inout Turn) {
        if attempt.supplied != nil {
            // There is no connection to save, and a load that redirects is over already.
            if !attempt.bodyEnded { abandon(&turn) }
            return go(on: next, &turn)
        }
        let limit = DeclaredLength(counted: settings.limits.drainBytes)
        if let length = attempt.bodyLength, request.method != "HEAD", length > limit {
            abandon(&turn)
            return go(on: next, &turn)
        }
        attempt.drained = 0
        timeouts.stopWaiting()
        let end = turn.now + min(settings.limits.drainTime, plan.requestTimeout)
        stage = .draining(next: next, until: end)
    }

    func receivedWhileDraining(_ event: ResponseEvent, next: TaskStage.NextAttempt, _ turn: inout Turn) {
        switch event {
        case .body(let bytes):
            attempt.drained += bytes.readableBytes
            guard attempt.drained > settings.limits.drainBytes else { return }
            abandon(&turn)
        case .end:
            log?.responseEnded()
            if !attempt.body.isWritten {
                abandon(&turn)
            } else if !keepsConnection(for: next) {
                turn.outputs.append(.release)
            }
        case .failed:
            // The task did not want this body: that it is cut short is no failure of the task.
            abandon(&turn)
        case .informational, .head:
            return turn.outputs.append(.bug("a second head in one exchange"))
        }
        go(on: next, &turn)
    }

    /// Gives the exchange and its connection up; what is left of the request is not sent any more.
    func abandon(_ turn: inout Turn) {
        resumable?.wentOut(upTo: attempt.body.reach)
        attempt.body = OutgoingBody()
        attempt.continueDeadline = nil
        turn.outputs.append(.abandon)
    }

    /// The former exchange is out of the way: tries again with what the answer said.
    func go(on next: TaskStage.NextAttempt, _ turn: inout Turn) {
        switch next {
        case .redirect(let next):
            goOver(to: next, isDeclined: false)
            if resumable?.phase == .creating {
                if next.body == nil { resumable = nil } else { resumable?.begin(anew: next) }
            }
            turn.outputs.append(.tell(.requestChanged(next)))
        case .authorized(let authorization):
            (self.authorization, hop.wasAuthorized, hop.handshakes) = (authorization, true, 0)
            hop.negotiate.isGivenUp = false
            if keepsConnection(for: next) { return goOn(with: takeFirstToken(ofProxy: false) ?? .begins, &turn) }
        case .authorizedForProxy(let authorization):
            (proxyAuthorization, hop.handshakes) = (authorization, 0)
            if authorization.method == .negotiate { hop.proxyNegotiate.isGivenUp = false }
            if keepsConnection(for: next) { return goOn(with: takeFirstToken(ofProxy: true) ?? .begins, &turn) }
        case .handshake(let handshake):
            if keepsConnection(for: next) { return goOn(with: handshake, &turn) }
            hop.handshakes += 1
        case .renewed, .kept, .withoutCondition:
            break
        case .withoutRange:
            if let resuming { request = ResumeDecision.whole(request, of: resuming) }
            resuming = nil
        case .offsetOfUpload:
            guard let question = resumable?.question() else {
                return interrupt(.failed(.networkConnectionLost, .peer, "The upload does not go on."), &turn)
            }
            goOver(to: question, isDeclined: true)
        case .restOfUpload:
            if let rest = resumable?.rest() { goOver(to: rest, isDeclined: true) }
        case .withoutExpectation:
            request.fields.remove("Expect")
            turn.outputs.append(.tell(.requestChanged(request)))
        }
        if isSuspended { stage = .idle } else { begin(&turn) }
    }

    /// Another request takes the place of the present one. Its silence begins with it (BEHAVIOUR 1.C5-timeout).
    func goOver(to next: ClientRequest, isDeclined: Bool) {
        request = next
        hop = Hop(isDeclined: isDeclined)
        timeouts.stopWaiting()
    }

    /// RFC 9112 9.3.1: a request on a kept connection that died before any answer byte, if repeating it is harmless.
    /// It happens once, since the second attempt has a connection of its own.
    var mayRetry: Bool { attempt.isReused && isRepeatable }

    var isRepeatable: Bool { HTTPMethod.isIdempotent(request.method) }
}
