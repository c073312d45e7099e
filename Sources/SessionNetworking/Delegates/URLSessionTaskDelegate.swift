#if !canImport(Darwin)
import Foundation

/// Messages that tasks of every kind send.
///
/// Given to one task (`URLSessionTask.delegate`) or to the session; the task's own is asked first, method by method.
/// Methods with a completion handler hold the task still until it is called, from any thread; the asynchronous form of
/// the same method may be implemented instead. A delegate that forwards may call either form of another object's
/// method: that which is there is reached, later and on the delegate queue or Swift's executor.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    /// A task was made. Called on the thread that made it, before the factory method returns.
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask)

    /// The task's `earliestBeginDate` has come; it begins to load when the handler is called.
    ///
    /// `completionHandler` takes what to do, and the request to load instead for `.useNewRequest`; nil there means the
    /// one that the task has. Cancelling fails the task with `URLError.cancelled`.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void)

    /// Asynchronous form.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
    ) async -> (URLSession.DelayedRequestDisposition, URLRequest?)

    /// The server wants the task to go on elsewhere.
    ///
    /// `completionHandler` takes the request to go on with, `request` or another, or nil to make the redirect response
    /// itself the result.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)

    /// Asynchronous form.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest?

    /// The server wants to know who is asking.
    ///
    /// `completionHandler` takes what to do, and the credential for `.useCredential`. Cancelling fails the task with
    /// `URLError.cancelled`; default handling and a rejected space deliver the 401 as the response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

    /// Asynchronous form.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

    /// A task made by `uploadTask(withStreamedRequest:)` begins, or a body has to be sent again, after a redirect, a
    /// challenge or a lost connection, and its stream was read.
    ///
    /// Not called for the first time that `URLRequest.httpBodyStream` is sent.
    ///
    /// `completionHandler` takes a stream, not opened yet, that gives the same bytes. Nil, like the absence of this
    /// method, fails the task with `URLError.requestBodyStreamExhausted`.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)

    /// Asynchronous form.
    func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream?

    /// A resumable upload goes on: the server has the body up to an offset.
    ///
    /// `offset` is in bytes from the beginning of the body. `completionHandler` takes a stream, not opened yet, of what
    /// follows the offset. Nil, like the absence of this method, fails the task with
    /// `URLError.requestBodyStreamExhausted`.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void)

    /// Asynchronous form.
    func urlSession(
        _ session: URLSession, needNewBodyStreamForTask task: URLSessionTask, from offset: Int64
    ) async -> InputStream?

    /// Part of the request body was handed to the network. Totals start again at 0 when the body is sent again.
    ///
    /// `totalBytesExpectedToSend` is the length of the body; -1 for a stream whose Content-Length is not set.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)

    /// There is no network that the task may use, and it waits for one: `waitsForConnectivity` of the configuration is
    /// true. At most once for each task, on the delegate queue, before anything of its answer
    /// (BEHAVIOUR 1.B16-once).
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)

    /// An interim answer (status 100 to 199, except 101) came before the response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)

    /// How the task's requests went: when, over which connections, how many bytes.
    ///
    /// Comes once, right before the completion of a task that was resumed, however it ends: before the handler of a
    /// task that has one, and before an asynchronous caller goes on.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)

    /// The task has ended; its last message. A nil error means that the transfer finished, whatever the status.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

extension URLSessionTaskDelegate {
    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
        CallToken.markUnimplemented(self, .created)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        if CallToken.markUnimplemented(self, .delayedRequest) { return }
        DelayedRequestQuestion(session: session, task: task, request: request) { completionHandler($0, $1) }
            .goOnInAsyncForm(of: self)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
    ) async -> (URLSession.DelayedRequestDisposition, URLRequest?) {
        if CallToken.markUnimplemented(self, .delayedRequestAsync) { return (.continueLoading, nil) }
        return await DelayedRequestQuestion.answer(of: self) { answer in
            DelayedRequestQuestion(session: session, task: task, request: request, answer: answer)
        }
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if CallToken.markUnimplemented(self, .redirect) { return }
        RedirectQuestion(session: session, task: task, response: response, proposed: request, answer: completionHandler)
            .goOnInAsyncForm(of: self)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? {
        if CallToken.markUnimplemented(self, .redirectAsync) { return request }
        return await RedirectQuestion.answer(of: self) { answer in
            RedirectQuestion(session: session, task: task, response: response, proposed: request, answer: answer)
        }
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if CallToken.markUnimplemented(self, .challenge) { return }
        ChallengeQuestion(session: session, task: task, challenge: challenge) { completionHandler($0, $1) }
            .goOnInAsyncForm(of: self)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        if CallToken.markUnimplemented(self, .challengeAsync) { return (.performDefaultHandling, nil) }
        return await ChallengeQuestion.answer(of: self) { answer in
            ChallengeQuestion(session: session, task: task, challenge: challenge, answer: answer)
        }
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        if CallToken.markUnimplemented(self, .bodyStream) { return }
        BodyStreamQuestion(session: session, task: task, answer: completionHandler).goOnInAsyncForm(of: self)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream? {
        if CallToken.markUnimplemented(self, .bodyStreamAsync) { return nil }
        return await BodyStreamQuestion.answer(of: self) { answer in
            BodyStreamQuestion(session: session, task: task, answer: answer)
        }
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        if CallToken.markUnimplemented(self, .bodyStreamFrom) { return }
        BodyStreamFromQuestion(session: session, task: task, offset: offset, answer: completionHandler)
            .goOnInAsyncForm(of: self)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, needNewBodyStreamForTask task: URLSessionTask, from offset: Int64
    ) async -> InputStream? {
        if CallToken.markUnimplemented(self, .bodyStreamFromAsync) { return nil }
        return await BodyStreamFromQuestion.answer(of: self) { answer in
            BodyStreamFromQuestion(session: session, task: task, offset: offset, answer: answer)
        }
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        CallToken.markUnimplemented(self, .sentBody)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        CallToken.markUnimplemented(self, .waiting)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        CallToken.markUnimplemented(self, .informational)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        CallToken.markUnimplemented(self, .metrics)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        CallToken.markUnimplemented(self, .completed)
    }
}
#endif
