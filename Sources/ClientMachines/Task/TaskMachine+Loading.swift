import HTTPBasics
import MachineContract

/// Stage `loading`: a loader answers in place of a server. From its response on, the stages are those of HTTP.
extension TaskMachine {
    func load(at moment: Moment, into outputs: inout [TaskOutput]) {
        stage = .loading
        timeouts.startWaiting(at: moment.instant)
        outputs.append(.load(request, isAtHome: isAtHome))
    }

    func loaded(_ event: LoadEvent, at moment: Moment, into outputs: inout [TaskOutput]) {
        switch (stage, event) {
        case (.loading, .declined):
            hop.isDeclined = true
            outputs.append(.release)
            acquire(at: moment, into: &outputs)
        case (.loading, .response(let response)):
            take(response)
            deliver(response, at: moment, into: &outputs)
        case (.loading, .redirected(let response, let next)):
            redirected(to: next, by: response, at: moment, into: &outputs)
        case (.loading, .challenged(let challenge)):
            ask(.loadChallenge, .loadChallenge(challenge), into: &outputs)
        case (.receivingBody, .data(let bytes)):
            receivedBodyEvent(.body(bytes), at: moment, into: &outputs)
        case (.receivingBody, .end):
            receivedBodyEvent(.end, at: moment, into: &outputs)
        case (_, .failed(let kind, let detail)):
            interrupt(.failed(kind, .environment, detail), at: moment, into: &outputs)
        default:
            outputs.append(.bug("a loader spoke out of turn in stage \(stage.name)"))
        }
    }

    private func take(_ response: Response) {
        attempt.supplied = response
        attempt.head = response.head
        log?.answered(response)
    }

    /// The load is over with this. A redirect that the user refuses is the response, and has no body
    /// (BEHAVIOUR 2.H19-redirect).
    private func redirected(
        to next: ClientRequest, by response: Response, at moment: Moment, into outputs: inout [TaskOutput]
    ) {
        take(response)
        attempt.bodyEnded = true
        log?.responseEnded()
        outputs.append(.release)
        guard redirectCount < RedirectDecision.limit else {
            failingURL = next.url
            let detail = "More than \(RedirectDecision.limit) redirects"
            return interrupt(.failed(.httpTooManyRedirects, .caller, detail), at: moment, into: &outputs)
        }
        redirected(to: next, at: moment, into: &outputs)
    }

    /// The loader itself has heard the answer, except that a cancelled challenge cancels the task (BEHAVIOUR 2.A3).
    func answeredLoadChallenge(_ answer: ChallengeAnswer, at moment: Moment, into outputs: inout [TaskOutput]) {
        if answer == .cancel { return interrupt(.cancelled(keepingResumeData: false), at: moment, into: &outputs) }
        stage = .loading
        timeouts.startWaiting(at: moment.instant)
    }
}
