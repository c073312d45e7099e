import HTTPBasics
import MachineContract

/// Stage `asking`: the response is held back, the request timer stands still, one answer is awaited.
extension TaskMachine {
    func ask(_ question: TaskStage.Question, _ call: UserQuestion, into outputs: inout [TaskOutput]) {
        stage = .asking(question)
        timeouts.stopWaiting()
        outputs.append(.ask(call))
    }

    func redirected(to next: ClientRequest, at moment: Moment, into outputs: inout [TaskOutput]) {
        guard let head = attempt.head, plan.asks.contains(.redirect) else {
            return follow(next, at: moment, into: &outputs)
        }
        let response = attempt.supplied ?? makeResponse(head, length: attempt.bodyLength)
        ask(.redirect(next: next), .redirect(response, next: next), into: &outputs)
    }

    /// The challenge that a response raises, if it can be met at all (BEHAVIOUR 2.A5, 2.A6).
    func nextChallenge(_ head: ResponseHead) -> Challenge? {
        guard let offered = ChallengeSelection.challenges(in: head).first else { return nil }
        if let refused = attempt.authorization { hop.refused(refused, by: offered, for: request) }
        return challenge(offered, head)
    }

    private func challenge(_ offered: ChallengeSelection.Offer, _ head: ResponseHead) -> Challenge? {
        guard let origin = request.url.origin else { return nil }
        let proposed = hop.triedURLCredentials ? nil : request.url.credential
        return Challenge(
            origin: origin, realm: offered.realm, method: offered.method,
            proposed: proposed, previousFailures: hop.failedCredentials,
            response: makeResponse(head, length: attempt.bodyLength))
    }

    func challenged(_ challenge: Challenge, at moment: Moment, into outputs: inout [TaskOutput]) {
        if plan.asks.contains(.challenge) {
            ask(.challenge(challenge), .challenge(challenge), into: &outputs)
        } else {
            handleByDefault(challenge, at: moment, into: &outputs)
        }
    }

    /// Default handling: a credential of the URL that was not tried yet, else the 401 itself (BEHAVIOUR 2.A3).
    private func handleByDefault(_ challenge: Challenge, at moment: Moment, into outputs: inout [TaskOutput]) {
        guard let proposed = challenge.proposed else { return deliverResponse(at: moment, into: &outputs) }
        drain(then: .authorized(Authorization(proposed, for: challenge)), at: moment, into: &outputs)
    }

    func answered(_ answer: UserAnswer, at moment: Moment, into outputs: inout [TaskOutput]) {
        // A late or second answer is an expected race: the question is closed, nothing happens.
        guard case .asking(let question) = stage else { return }
        tellSent(into: &outputs)
        switch (question, answer) {
        case (.redirect, .redirect(let next?)):
            follow(next, at: moment, into: &outputs)
        case (.redirect, .redirect(nil)):
            deliverResponse(at: moment, into: &outputs)
        case (.response, .response(let allow)):
            if allow {
                receiveBody(at: moment, into: &outputs)
            } else {
                interrupt(.cancelled(keepingResumeData: false), at: moment, into: &outputs)
            }
        case (.response, .becomeDownload):
            becomeDownload(at: moment, into: &outputs)
        case (.delayedRequest, .delayedRequest(let answer)):
            answered(answer, at: moment, into: &outputs)
        case (.loadChallenge, .loadChallenge(let answer)):
            answeredLoadChallenge(answer, at: moment, into: &outputs)
        case (.bodyStream, .body(let body)):
            answered(body, at: moment, into: &outputs)
        case (.challenge(let challenge), .challenge(let answer)):
            answered(challenge, with: answer, at: moment, into: &outputs)
        default:
            outputs.append(.bug("answer of another kind than its question"))
        }
    }

    private func answered(
        _ challenge: Challenge, with answer: ChallengeAnswer, at moment: Moment, into outputs: inout [TaskOutput]
    ) {
        switch answer {
        case .use(let credential?):
            drain(then: .authorized(Authorization(credential, for: challenge)), at: moment, into: &outputs)
        case .performDefaultHandling:
            handleByDefault(challenge, at: moment, into: &outputs)
        case .use(nil):
            deliverResponse(at: moment, into: &outputs)
        case .rejectProtectionSpace:
            rejected(challenge, at: moment, into: &outputs)
        case .cancel:
            interrupt(.cancelled(keepingResumeData: false), at: moment, into: &outputs)
        }
    }

    /// The next space of the same answer has its turn, after the last one the answer itself (BEHAVIOUR 2.A4-reject).
    private func rejected(_ challenge: Challenge, at moment: Moment, into outputs: inout [TaskOutput]) {
        let offers = attempt.head.map(ChallengeSelection.challenges) ?? []
        let rest = offers.drop { $0 != .init(method: challenge.method, realm: challenge.realm) }.dropFirst()
        guard let head = attempt.head, let offered = rest.first, let next = self.challenge(offered, head) else {
            return deliverResponse(at: moment, into: &outputs)
        }
        challenged(next, at: moment, into: &outputs)
    }

    /// The body has to be sent again, and its stream has been read (BEHAVIOUR 1.I4).
    func askForStream(at moment: Moment, into outputs: inout [TaskOutput]) {
        if let resumable, resumable.phase == .appending {
            guard plan.asks.contains(.bodyStreamFrom) else { return answered(nil, at: moment, into: &outputs) }
            return ask(.bodyStream, .bodyStreamFrom(offset: resumable.offset), into: &outputs)
        }
        if plan.asks.contains(.bodyStream) {
            ask(.bodyStream, .bodyStream, into: &outputs)
        } else {
            answered(nil, at: moment, into: &outputs)
        }
    }

    private func answered(
        _ body: RequestBody?, at moment: Moment, into outputs: inout [TaskOutput]
    ) {
        guard let body else {
            let detail = "The body must be sent again, and there is no new stream for it."
            return interrupt(.failed(.requestBodyStreamExhausted, .caller, detail), at: moment, into: &outputs)
        }
        request.body = body
        if isSuspended { stage = .idle } else { begin(at: moment, into: &outputs) }
    }

    /// Whether an allowed response ends with its body, untouched, and nothing else is told: the connection may then
    /// look ahead for it.
    var isForeseeable: Bool { attempt.decoder == nil && attempt.body.isTold && plan.metrics != .told }

    func askAboutResponse(_ response: Response, into outputs: inout [TaskOutput]) {
        ask(.response, .response(response), into: &outputs)
    }
}
