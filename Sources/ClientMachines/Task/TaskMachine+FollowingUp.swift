import HTTPBasics
import MachineContract

/// Stage `draining`, and the next attempt: redirect, challenge or retry.
extension TaskMachine {
    func follow(_ next: ClientRequest, at moment: Moment, into outputs: inout [TaskOutput]) {
        redirectCount += 1
        drain(then: .redirect(next), at: moment, into: &outputs)
    }

    /// Reads an unwanted body to save its connection, if that is not dearer than a new one.
    func drain(then next: TaskStage.NextAttempt, at moment: Moment, into outputs: inout [TaskOutput]) {
        if supplied != nil {
            // There is no connection to save, and a load that redirects is over already.
            if !bodyEnded { abandon(into: &outputs) }
            return attempt(next, at: moment, into: &outputs)
        }
        if let bodyLength, request.method != "HEAD", bodyLength > Int64(settings.limits.drainBytes) {
            abandon(into: &outputs)
            return attempt(next, at: moment, into: &outputs)
        }
        drained = 0
        stageDeadline = moment.instant + settings.limits.drainTime
        stage = .draining(next: next)
    }

    func receivedWhileDraining(
        _ event: ResponseReader.Event, next: TaskStage.NextAttempt, at moment: Moment, into outputs: inout [TaskOutput]
    ) {
        switch event {
        case .body(let bytes):
            drained += bytes.readableBytes
            guard drained > settings.limits.drainBytes else { return }
            abandon(into: &outputs)
        case .end(let reason):
            log?.responseEnded()
            if upload.isWritten { outputs.append(.release(reason)) } else { abandon(into: &outputs) }
        case .failed:
            // Nobody wanted this body: that it is cut short is no failure of the task.
            abandon(into: &outputs)
        case .informational, .head:
            return outputs.append(.bug("a second head in one exchange"))
        }
        attempt(next, at: moment, into: &outputs)
    }

    /// Gives the exchange and its connection up; what is left of the request is not sent any more.
    func abandon(into outputs: inout [TaskOutput]) {
        resumable?.wentOut(upTo: upload.reach)
        upload = Upload()
        stageDeadline = nil
        outputs.append(.abandon)
    }

    /// The former exchange is out of the way: tries again with what the answer said.
    func attempt(_ next: TaskStage.NextAttempt, at moment: Moment, into outputs: inout [TaskOutput]) {
        stageDeadline = nil
        switch next {
        case .redirect(let next):
            (request, isDeclined) = (next, false)
            if resumable?.phase == .creating {
                if next.body == nil { resumable = nil } else { resumable?.begin(anew: next) }
            }
            outputs.append(.tell(.requestChanged(next)))
        case .authorized(let credential, let origin):
            authorization = (BasicAuthorization.fieldValue(credential), origin)
        case .withoutRange:
            if let resuming { request = ResumeDecision.requestForWhole(of: resuming) }
            resuming = nil
        case .offsetOfUpload:
            guard let question = resumable?.question() else {
                return interrupt(
                    .failed(.networkConnectionLost, .peer, "The upload does not go on."), at: moment, into: &outputs)
            }
            request = question
        case .restOfUpload:
            if let rest = resumable?.rest() { request = rest }
        case .withoutExpectation:
            request.fields.remove("Expect")
            outputs.append(.tell(.requestChanged(request)))
        }
        if isSuspended { stage = .idle } else { begin(at: moment, into: &outputs) }
    }

    /// RFC 9112 9.3.1: a request on a kept connection that died before any answer byte, if repeating it is harmless.
    /// It happens once, since the second attempt has a connection of its own.
    var mayRetry: Bool { isReused && HTTPMethod.isIdempotent(request.method) }
}
