#if !canImport(Darwin)
import ClientMachines
import Foundation
import NIOCore

/// On the delegate queue: what a user is asked, and what an answer means to the machine.
///
/// A handler that is never called leaves the task silent (BEHAVIOUR 1.B1-9): that is the user's right.
extension DelegateDispatcher {
    func ask(_ question: UserQuestion, _ id: QuestionID, of task: URLSessionTask) {
        guard let session = task.session else { return }
        switch question {
        case .redirect(let response, let next): askRedirect(task.redirectResponse(response), next, id, task, session)
        case .challenge(let challenge): askChallenge(challenge, id, task, session)
        case .response(let response, let rest): askResponse(response, rest, id, task, session)
        case .bodyStream: askBodyStream(id, task, session)
        case .delayedRequest: askDelayedRequest(id, task, session)
        case .loadChallenge(let challenge): askLoadChallenge(challenge, id, task, session)
        case .bodyStreamFrom(let offset): askBodyStream(from: offset, id, task, session)
        case .connection(let challenge): askConnection(challenge, id, task, session)
        case .cookies: askForCookies(id, task, session)
        case .kept: askForKept(id, task, session)
        case .willCache: askAboutCaching(id, task, session)
        }
    }

    private func askRedirect(
        _ response: HTTPURLResponse, _ next: ClientRequest, _ id: QuestionID, _ task: URLSessionTask,
        _ session: URLSession
    ) {
        guard let proposed = task.publicForm(of: next) else { return }
        let question = RedirectQuestion(session: session, task: task, response: response, proposed: proposed) {
            [link] request in
            task.shared.withLock { $0.nextRequest = request }
            link.submit(.answer(id, .redirect(request.map { Self.redirected(to: $0, proposed: next, of: task) })))
        }
        begin(question)
    }

    /// A stream that the delegate has put in is another one than the one that was proposed, which was read already.
    /// An upload task goes on with its own body, if the redirect keeps it.
    private static func redirected(
        to request: URLRequest, proposed: ClientRequest, of task: URLSessionTask
    ) -> ClientRequest {
        var keepsBody = task is URLSessionUploadTask
        if case .stream(let known) = proposed.body, let stream = request.httpBodyStream {
            keepsBody = keepsBody || task.shared.withLock { $0.bodyStreams[known]?.stream === stream }
        }
        guard keepsBody else { return task.clientRequest(request) }
        var next = RequestBridge.clientRequest(request).request
        next.body = proposed.body
        return next
    }

    private func askBodyStream(_ id: QuestionID, _ task: URLSessionTask, _ session: URLSession) {
        let question = BodyStreamQuestion(session: session, task: task) { [link] stream in
            link.submit(.answer(id, .body(stream.flatMap { task.body(from: $0) })))
        }
        begin(question)
    }

    private func askBodyStream(from offset: Int64, _ id: QuestionID, _ task: URLSessionTask, _ session: URLSession) {
        let question = BodyStreamFromQuestion(session: session, task: task, offset: offset) { [link] stream in
            link.submit(.answer(id, .body(stream.flatMap { task.body(from: $0) })))
        }
        begin(question)
    }

    private func askResponse(
        _ response: Response, _ rest: ByteBuffer?, _ id: QuestionID, _ task: URLSessionTask, _ session: URLSession
    ) {
        guard let dataTask = task as? URLSessionDataTask else {
            return submit(.answer(id, .response(allow: true)))
        }
        let submit: @Sendable (UserAnswer) -> Void = { [link] answer in link.submit(.answer(id, answer)) }
        // Asked already, before the engine had the task.
        let asked = task.shared.withLock { state in
            defer { state.disposition = nil }
            return state.disposition
        }
        if let asked {
            if let answer = asked.close(submit) { submit(answer) }
            return
        }
        let publicResponse = task.note(response)
        let prompt = rest.map { _ in PromptAnswer() }
        let question = ResponseQuestion(session: session, dataTask: dataTask, response: publicResponse) { disposition in
            let answer = Self.answer(disposition)
            if let prompt { prompt.give(answer) } else { submit(answer) }
        }
        begin(question)
        if let rest, let answer = prompt?.close(submit) { answered(id, of: task, answer, rest: rest) }
    }

    static func answer(_ disposition: URLSession.ResponseDisposition) -> UserAnswer {
        switch disposition {
        case .cancel: .response(allow: false)
        case .allow: .response(allow: true)
        case .becomeDownload: .becomeDownload
        }
    }

    private func askDelayedRequest(_ id: QuestionID, _ task: URLSessionTask, _ session: URLSession) {
        guard let current = task.shared.withLock({ $0.currentRequest }) else { return }
        let question = DelayedRequestQuestion(session: session, task: task, request: current) {
            [link] disposition, replacement in
            let answer: DelayedRequestAnswer
            switch (disposition, replacement) {
            case (.cancel, _): answer = .cancel
            case (.useNewRequest, let replacement?):
                task.shared.withLock { $0.nextRequest = replacement }
                answer = .use(task.clientRequest(replacement))
            case (.continueLoading, _), (.useNewRequest, nil): answer = .continueLoading
            }
            link.submit(.answer(id, .delayedRequest(answer)))
        }
        begin(question)
    }

    /// The protocol object hears the answer itself; the machine only, that it may go on.
    private func askLoadChallenge(
        _ challenge: LoadChallengeID, _ id: QuestionID, _ task: URLSessionTask, _ session: URLSession
    ) {
        let goOn: @Sendable (ChallengeAnswer) -> Void = { [link] in link.submit(.answer(id, .loadChallenge($0))) }
        guard let pending = task.shared.withLock({ $0.loading })?.challenge(challenge) else {
            return goOn(.performDefaultHandling)
        }
        pending.await { goOn(.performDefaultHandling) }
        let question = ChallengeQuestion(session: session, task: task, challenge: pending.challenge) {
            disposition, credential in
            guard pending.answer(disposition, credential) else { return }
            goOn(ChallengeBridge.answer(disposition, credential))
        }
        if pending.isOpen { begin(question) }
    }

    func begin(_ question: some TaskQuestion) {
        goOn(question, DelegateChoice(task: question.task.shared.withLock { $0.delegate }, session: sessionDelegate))
    }

    /// The only unstructured task of the library: an asynchronous delegate method has no other caller.
    func runAsync(_ method: @escaping @Sendable () async -> Void) {
        Task(executorPreference: world.taskExecutor, operation: method)
    }

    /// Asks one delegate after another, each in both forms before the next one's turn (BEHAVIOUR 1.B1-6).
    private func goOn<Question: TaskQuestion>(_ question: Question, _ delegates: DelegateChoice) {
        guard !question.isOver else { return }
        var delegates = delegates
        while let delegate = delegates.next() {
            if delegate.mayImplement(Question.method), question.ask(delegate) { return }
            guard delegate.mayImplement(Question.asyncMethod) else { continue }
            runAsync { [others = delegates] in
                if question.isOver { return }
                if await question.askAsync(delegate) { return }
                self.post(.job { self.goOn(question, others) })
            }
            return
        }
        question.answerByDefault()
    }
}
#endif
