import Foundation
import Judge

/// Has the session-level method about challenges as well, in the delegate style: which of the two is asked is a rule
/// (BEHAVIOUR 2.A2, 2.A3).
final class BothLevelsDelegate: RecordingMethods, ToldDelegate, @unchecked Sendable {
    // Safety: adds no state.

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        self.challenge(challenge, completionHandler)
    }
}

/// The same where a handler or an async call gets the results.
final class BothLevelsQuestionDelegate: QuestionMethods, URLSessionTaskDelegate, @unchecked Sendable {
    // Safety: adds no state.

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        self.challenge(challenge, completionHandler)
    }
}
