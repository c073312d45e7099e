#if !canImport(Darwin)
import ClientMachines
import Foundation
import NIOCore

/// On the delegate queue: what a user is asked. Answers may come from any thread, once; the machine drops later ones.
///
/// A handler that is never called leaves the task silent (BEHAVIOUR 1.B1-9): that is the user's right.
extension DelegateDispatcher {
    /// One question on its way through the delegates that may answer it.
    private struct Asking: Sendable {
        let task: URLSessionTask
        let method: DelegateMethod
        let asyncMethod: DelegateMethod
        /// Calls the form with a completion handler; false when the delegate lacks it.
        let call: @Sendable (DelegateFaces) -> Bool
        /// Calls the asynchronous form and passes its answer on; false when the delegate lacks it.
        let callLater: @Sendable (DelegateFaces) async -> Bool
        /// What happens when nobody has either.
        let fallback: @Sendable () -> Void

        /// A task that was cancelled meanwhile has had its last message.
        var isOver: Bool { task.shared.withLock { $0.gate.isCompleted } }
    }

    func ask(_ question: UserQuestion, _ id: QuestionID, of task: URLSessionTask) {
        guard let session = task.session else { return }
        switch question {
        case .redirect(let response, let next):
            askRedirect(HTTPURLResponse(response), next, id, task, session)
        case .challenge(let challenge):
            askChallenge(ChallengeBridge.urlChallenge(challenge), id, task, session)
        case .response(let response, let rest):
            askResponse(response, rest, id, task, session)
        case .bodyStream:
            askBodyStream(id, task, session)
        }
    }

    private func askRedirect(
        _ response: HTTPURLResponse, _ next: ClientRequest, _ id: QuestionID, _ task: URLSessionTask,
        _ session: URLSession
    ) {
        guard let current = task.shared.withLock({ $0.currentRequest }) else { return }
        let stream = task.shared.withLock { $0.bodyStreams.stream(of: next) }
        let proposed = RequestBridge.urlRequest(next, basedOn: current, stream: stream)
        let answer: @Sendable (URLRequest?) -> Void = { [weak self] request in
            self?.submit(.answer(id, .redirect(request.map { Self.redirected(to: $0, proposed: next, of: task) })))
        }
        let call: @Sendable (DelegateFaces) -> Bool = { faces in
            guard let delegate = faces.task else { return false }
            return faces.call(.redirect) {
                delegate.urlSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: proposed,
                    completionHandler: answer)
            }
        }
        let callLater: @Sendable (DelegateFaces) async -> Bool = { faces in
            guard let delegate = faces.task else { return false }
            let result = await faces.result(.redirectAsync) {
                await delegate.urlSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: proposed)
            }
            if let result { answer(result) }
            return result != nil
        }
        begin(
            Asking(
                task: task, method: .redirect, asyncMethod: .redirectAsync, call: call, callLater: callLater,
                fallback: { answer(proposed) }))
    }

    /// A stream that the delegate has put in is another one than the one that was proposed, which was read already.
    private static func redirected(
        to request: URLRequest, proposed: ClientRequest, of task: URLSessionTask
    ) -> ClientRequest {
        guard let stream = request.httpBodyStream else { return RequestBridge.clientRequest(request).request }
        if case .stream(let known) = proposed.body,
            task.shared.withLock({ $0.bodyStreams[known]?.stream === stream })
        {
            return RequestBridge.clientRequest(request, stream: known).request
        }
        return RequestBridge.clientRequest(request, stream: task.addBodyStream(stream) ?? .first).request
    }

    private func askBodyStream(_ id: QuestionID, _ task: URLSessionTask, _ session: URLSession) {
        let answer: @Sendable (BodyStreamID?) -> Void = { [weak self] stream in
            self?.submit(.answer(id, .bodyStream(stream)))
        }
        let call: @Sendable (DelegateFaces) -> Bool = { faces in
            guard let delegate = faces.task else { return false }
            return faces.call(.bodyStream) {
                delegate.urlSession(
                    session, task: task, needNewBodyStream: { answer($0.flatMap { task.addBodyStream($0) }) })
            }
        }
        let callLater: @Sendable (DelegateFaces) async -> Bool = { faces in
            guard let delegate = faces.task else { return false }
            let result: BodyStreamID?? = await faces.result(.bodyStreamAsync) {
                await delegate.urlSession(session, needNewBodyStreamForTask: task).flatMap { task.addBodyStream($0) }
            }
            if let result { answer(result) }
            return result != nil
        }
        begin(
            Asking(
                task: task, method: .bodyStream, asyncMethod: .bodyStreamAsync, call: call, callLater: callLater,
                fallback: { answer(nil) }))
    }

    private func askChallenge(
        _ challenge: URLAuthenticationChallenge, _ id: QuestionID, _ task: URLSessionTask, _ session: URLSession
    ) {
        let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
            [weak self] disposition, credential in
            self?.submit(.answer(id, .challenge(ChallengeBridge.answer(disposition, credential))))
        }
        let call: @Sendable (DelegateFaces) -> Bool = { faces in
            guard let delegate = faces.task else { return false }
            return faces.call(.challenge) {
                delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
            }
        }
        let callLater: @Sendable (DelegateFaces) async -> Bool = { faces in
            guard let delegate = faces.task else { return false }
            let result = await faces.result(.challengeAsync) {
                await delegate.urlSession(session, task: task, didReceive: challenge)
            }
            if let result { answer(result.0, result.1) }
            return result != nil
        }
        begin(
            Asking(
                task: task, method: .challenge, asyncMethod: .challengeAsync, call: call, callLater: callLater,
                fallback: { answer(.performDefaultHandling, nil) }))
    }

    private func askResponse(
        _ response: Response, _ rest: ByteBuffer?, _ id: QuestionID, _ task: URLSessionTask, _ session: URLSession
    ) {
        let prompt = rest.map { _ in PromptAnswer() }
        let answer: @Sendable (URLSession.ResponseDisposition) -> Void = { [weak self] disposition in
            let allows = disposition == .allow
            if prompt?.take(allows) != true { self?.submit(.answer(id, .response(allow: allows))) }
        }
        guard let dataTask = task as? URLSessionDataTask else { return answer(.allow) }
        let publicResponse = HTTPURLResponse(response)
        task.shared.withLock { state in
            state.response = publicResponse
            state.expectedToReceive = response.expectedLength
        }
        let call: @Sendable (DelegateFaces) -> Bool = { faces in
            guard let delegate = faces.data else { return false }
            return faces.call(.response) {
                delegate.urlSession(
                    session, dataTask: dataTask, didReceive: publicResponse, completionHandler: answer)
            }
        }
        let callLater: @Sendable (DelegateFaces) async -> Bool = { faces in
            guard let delegate = faces.data else { return false }
            let result = await faces.result(.responseAsync) {
                await delegate.urlSession(session, dataTask: dataTask, didReceive: publicResponse)
            }
            if let result { answer(result) }
            return result != nil
        }
        begin(
            Asking(
                task: task, method: .response, asyncMethod: .responseAsync, call: call, callLater: callLater,
                fallback: { answer(.allow) }))
        if let rest, let allows = prompt?.close() { answered(id, of: task, session, allows: allows, rest: rest) }
    }

    private func begin(_ asking: Asking) {
        let delegate = asking.task.shared.withLock { $0.delegate }
        goOn(asking, [delegate, sessionDelegate].compactMap { $0 })
    }

    /// Asks one delegate after another, each in both forms before the next one's turn (BEHAVIOUR 1.B1-6).
    ///
    /// The only unstructured task of the library: an asynchronous delegate method has no other caller.
    private func goOn(_ asking: Asking, _ delegates: [DelegateFaces]) {
        guard !asking.isOver else { return }
        for (index, faces) in delegates.enumerated() {
            if faces.mayImplement(asking.method), asking.call(faces) { return }
            guard faces.mayImplement(asking.asyncMethod) else { continue }
            let others = Array(delegates[(index + 1)...])
            Task(executorPreference: world.taskExecutor) {
                if asking.isOver { return }
                if await asking.callLater(faces) { return }
                self.post(.job { self.goOn(asking, others) })
            }
            return
        }
        asking.fallback()
    }
}
#endif
