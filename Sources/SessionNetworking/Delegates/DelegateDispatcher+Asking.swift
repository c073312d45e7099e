#if !canImport(Darwin)
import ClientMachines
import Foundation

/// On the delegate queue: what a user is asked. Answers may come from any thread, once; the machine drops later ones.
///
/// A handler that is never called leaves the task silent (BEHAVIOUR 1.B1-9): that is the user's right.
extension DelegateDispatcher {
    func ask(_ question: UserQuestion, _ id: QuestionID, of task: URLSessionTask) {
        guard let session = task.session else { return }
        switch question {
        case .redirect(let response, let next):
            askRedirect(HTTPURLResponse(response), next, id, task, session)
        case .challenge(let challenge):
            askChallenge(ChallengeBridge.urlChallenge(challenge), id, task, session)
        case .response(let response):
            askResponse(response, id, task, session)
        }
    }

    private func askRedirect(
        _ response: HTTPURLResponse, _ next: ClientRequest, _ id: QuestionID, _ task: URLSessionTask,
        _ session: URLSession
    ) {
        guard let current = task.shared.withLock({ $0.currentRequest }) else { return }
        let proposed = RequestBridge.urlRequest(next, basedOn: current)
        let answer: @Sendable (URLRequest?) -> Void = { [weak self] request in
            self?.submit(.answer(id, .redirect(request.map { RequestBridge.clientRequest($0).request })))
        }
        for faces in candidates(.redirect, for: task) {
            guard let delegate = faces.task else { continue }
            let isThere = faces.call(.redirect) {
                delegate.urlSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: proposed,
                    completionHandler: answer)
            }
            if isThere { return }
        }
        askLater(.redirectAsync, task, default: { answer(proposed) }) { faces in
            guard let delegate = faces.task else { return false }
            let result = await faces.result(.redirectAsync) {
                await delegate.urlSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: proposed)
            }
            if let result { answer(result) }
            return result != nil
        }
    }

    private func askChallenge(
        _ challenge: URLAuthenticationChallenge, _ id: QuestionID, _ task: URLSessionTask, _ session: URLSession
    ) {
        let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
            [weak self] disposition, credential in
            self?.submit(.answer(id, .challenge(ChallengeBridge.answer(disposition, credential))))
        }
        for faces in candidates(.challenge, for: task) {
            guard let delegate = faces.task else { continue }
            let isThere = faces.call(.challenge) {
                delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
            }
            if isThere { return }
        }
        askLater(.challengeAsync, task, default: { answer(.performDefaultHandling, nil) }) { faces in
            guard let delegate = faces.task else { return false }
            let result = await faces.result(.challengeAsync) {
                await delegate.urlSession(session, task: task, didReceive: challenge)
            }
            if let result { answer(result.0, result.1) }
            return result != nil
        }
    }

    private func askResponse(_ response: Response, _ id: QuestionID, _ task: URLSessionTask, _ session: URLSession) {
        let answer: @Sendable (URLSession.ResponseDisposition) -> Void = { [weak self] disposition in
            self?.submit(.answer(id, .response(allow: disposition == .allow)))
        }
        guard let dataTask = task as? URLSessionDataTask else { return answer(.allow) }
        let publicResponse = HTTPURLResponse(response)
        task.shared.withLock { state in
            state.response = publicResponse
            state.expectedToReceive = response.expectedLength
        }
        for faces in candidates(.response, for: task) {
            guard let delegate = faces.data else { continue }
            let isThere = faces.call(.response) {
                delegate.urlSession(
                    session, dataTask: dataTask, didReceive: publicResponse, completionHandler: answer)
            }
            if isThere { return }
        }
        askLater(.responseAsync, task, default: { answer(.allow) }) { faces in
            guard let delegate = faces.data else { return false }
            let result = await faces.result(.responseAsync) {
                await delegate.urlSession(session, dataTask: dataTask, didReceive: publicResponse)
            }
            if let result { answer(result) }
            return result != nil
        }
    }

    /// Tries the asynchronous form of a method, candidate by candidate; the default when nobody has it.
    ///
    /// The only unstructured task of the library: an asynchronous delegate method has no other caller.
    private func askLater(
        _ method: DelegateMethod, _ task: URLSessionTask, default fallback: @escaping @Sendable () -> Void,
        _ attempt: @escaping @Sendable (DelegateFaces) async -> Bool
    ) {
        let candidates = candidates(method, for: task)
        guard !candidates.isEmpty else { return fallback() }
        Task(executorPreference: world.taskExecutor) {
            for faces in candidates {
                if await attempt(faces) { return }
            }
            fallback()
        }
    }
}
#endif
