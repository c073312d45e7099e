#if !canImport(Darwin)
import Foundation

/// Messages about a session as a whole.
///
/// All delegate methods are optional: leaving one out is as if the delegate were not there for that message. They
/// run on the session's delegate queue, one after another.
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    /// The session has become invalid; its very last message, after which the delegate is released.
    ///
    /// `error` is nil after `invalidateAndCancel()` and `finishTasksAndInvalidate()`.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    /// A challenge that concerns a connection rather than one task: server trust, client certificate, NTLM, Negotiate.
    ///
    /// Over plain http with Basic there is none of these: challenges of a task go to the task-level method, and never
    /// to this one. Source: developer.apple.com, urlSession(_:didReceive:completionHandler:).
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

    /// Asynchronous form.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

extension URLSessionDelegate {
    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}

    /// Left out by the delegate: default handling.
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if CallToken.markUnimplemented(self, .sessionChallenge) { return }
        SessionChallengeQuestion(session: session, challenge: challenge) { completionHandler($0, $1) }
            .goOnInAsyncForm(of: self)
    }

    /// Left out by the delegate: default handling.
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        if CallToken.markUnimplemented(self, .sessionChallengeAsync) { return (.performDefaultHandling, nil) }
        return await SessionChallengeQuestion.answer(of: self) { answer in
            SessionChallengeQuestion(session: session, challenge: challenge, answer: answer)
        }
    }
}
#endif
