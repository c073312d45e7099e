import Foundation
import Judge
import ScenarioFormat

/// Which delegates a case has. In the completion and async styles there is one only where the scenario answers what a
/// delegate is asked, or speaks of it: the other cases take the way through the library that has none.
extension ClientLanePlayer {
    /// What the session of this case gets; nil when the case has no questions.
    func sessionDelegate() -> (any URLSessionDelegate)? {
        guard style == .delegate || hasQuestionDelegate else { return nil }
        return delegate(scenarioCase.session.delegate ?? .full, hearsResults: style == .delegate)
    }

    /// A delegate for one task alone. That of an async call has all methods, since it hears more than the session's.
    func ownDelegate(_ form: DelegateForm) -> any URLSessionTaskDelegate {
        delegate(form, hearsResults: style != .completion)
    }

    private func delegate(_ form: DelegateForm, hearsResults: Bool) -> any URLSessionTaskDelegate {
        let measures = QuestionDelegateNeed.measures(scenarioCase)
        let delegate: any URLSessionTaskDelegate =
            switch form {
            case .bare: BareDelegate(self)
            case .async: AsyncDelegate(self)
            case .bothLevels: hearsResults ? BothLevelsDelegate(self) : BothLevelsQuestionDelegate(self)
            case .forwarding: LaneSession.forwardingDelegate(self)
            case .full where hearsResults: measures ? MeasuringDelegate(self) : RecordingDelegate(self)
            case .full: measures ? MeasuringQuestionDelegate(self) : QuestionDelegate(self)
            }
        leakSuspects.append(LeakSuspect(delegate))
        return delegate
    }
}

/// Every method that a delegate has also where a handler or an async call gets the rest: who hears one of them hears
/// all, or a list that is closed would be open for the others.
class QuestionMethods: LaneDelegate, @unchecked Sendable {
    // Safety: adds no state.

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        player.becameInvalid(session)
    }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) { player.made(task, label(task)) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        delayed(task, request, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        redirect(task, response, request, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        self.challenge(task, challenge, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        needStream(task, completionHandler)
    }

    /// A method that not every URLSession knows.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        needStream(task, from: offset, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        sent(task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
    }
}

/// The delegate of most such cases: all but the method about metrics, whose presence alone changes how a task goes.
private final class QuestionDelegate: QuestionMethods, URLSessionTaskDelegate, @unchecked Sendable {
    // Safety: adds no state.
}

/// For cases that speak of metrics.
private final class MeasuringQuestionDelegate: QuestionMethods, URLSessionTaskDelegate, @unchecked Sendable {
    // Safety: adds no state.

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        measured(task, metrics)
    }
}
