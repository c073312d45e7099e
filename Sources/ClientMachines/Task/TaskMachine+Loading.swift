import HTTPBasics
import MachineContract

/// Stage `loading`: a loader answers in place of a server. From its response on, the stages are those of HTTP.
extension TaskMachine {
    func load(_ turn: inout Turn) {
        stage = .loading
        attempt.asked = turn.moment
        timeouts.startWaiting(at: turn.now)
        turn.outputs.append(.load(request, isAtHome: isAtHome))
    }

    func loaded(_ event: LoadEvent, _ turn: inout Turn) {
        switch (stage, event) {
        case (.loading, .declined) where hop.cachePhase.isAnswered:
            keptIsLost(&turn)
        case (.loading, .declined):
            hop.isDeclined = true
            turn.outputs.append(.release)
            acquire(&turn)
        case (.loading, .response(let response)) where hop.cachePhase.isAnswered:
            keptAnswers(response, &turn)
        case (.loading, .response(let response)):
            take(response)
            forgetOutdated(by: response.head, &turn)
            deliver(response, &turn)
        case (.loading, .keepable(let response, var kept)):
            take(response)
            kept.asked = attempt.asked?.instant
            if plan.usesCache { collect(kept, response.head, &turn) }
            deliver(response, &turn)
        case (.loading, .redirected(let response, let next)):
            redirected(to: next, by: response, &turn)
        case (.loading, .challenged(let challenge)):
            ask(.loadChallenge, .loadChallenge(challenge), &turn)
        case (.receivingBody, .data(let bytes)):
            receivedBodyEvent(.body(bytes), &turn)
        case (.receivingBody, .end):
            receivedBodyEvent(.end, &turn)
        case (_, .failed(let kind, let detail)):
            interrupt(.failed(kind, .environment, detail), &turn)
        default:
            turn.outputs.append(.bug("a loader spoke out of turn in stage \(stage.name)"))
        }
    }

    func take(_ response: Response) {
        attempt.supplied = response
        attempt.head = response.head
        log?.answered(response)
    }

    /// The load is over with this. A redirect that the user refuses is the response, and has no body
    /// (BEHAVIOUR 2.H19-redirect).
    private func redirected(to next: ClientRequest, by response: Response, _ turn: inout Turn) {
        take(response)
        forgetOutdated(by: response.head, &turn)
        attempt.bodyEnded = true
        log?.responseEnded()
        turn.outputs.append(.release)
        guard redirectCount < RedirectDecision.limit else {
            failingURL = next.url
            let detail = "More than \(RedirectDecision.limit) redirects"
            return interrupt(.failed(.httpTooManyRedirects, .caller, detail), &turn)
        }
        redirected(to: next, &turn)
    }

    /// The loader itself has heard the answer, except that a cancelled challenge cancels the task (BEHAVIOUR 2.A3).
    func answeredLoadChallenge(_ answer: ChallengeAnswer, _ turn: inout Turn) {
        if answer == .cancel { return interrupt(.cancelled(keepingResumeData: false), &turn) }
        stage = .loading
        timeouts.startWaiting(at: turn.now)
    }
}
