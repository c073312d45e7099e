import Foundation
import Judge
import ScenarioFormat

/// Delegates for the completion and async styles, each with just the methods that a scenario answers or expects.
///
/// One class for each set of methods: whether a delegate implements a method is a property of its class, and what it
/// does not implement must take the default way through the library.
extension ClientLanePlayer {
    /// What the session of this case gets; nil when nobody has a question.
    package func sessionDelegate() -> (any URLSessionDelegate)? {
        if style == .delegate { return recordingDelegate() }
        return hasQuestionDelegate ? questionDelegate() : nil
    }

    func recordingDelegate() -> any URLSessionTaskDelegate {
        QuestionDelegateNeed.measures(scenarioCase) ? MeasuringDelegate(self) : RecordingDelegate(self)
    }

    func questionDelegate() -> any URLSessionTaskDelegate {
        if QuestionDelegateNeed.measures(scenarioCase) { return MeasuringQuestionDelegate(self) }
        let words = QuestionDelegateNeed.words(in: scenarioCase)
        if words.contains(.delayedRequest) { return DelayingDelegate(self) }
        if words.contains(.needStream) { return StreamingDelegate(self) }
        switch (words.contains(.redirect), words.contains(.challenge), words.contains(.sent)) {
        case (false, false, false): return QuietDelegate(self)
        case (true, false, false): return RedirectDelegate(self)
        case (false, true, false): return ChallengeDelegate(self)
        case (false, false, true): return SentDelegate(self)
        case (true, true, false): return RedirectChallengeDelegate(self)
        case (true, false, true): return RedirectSentDelegate(self)
        case (false, true, true): return ChallengeSentDelegate(self)
        case (true, true, true): return RedirectChallengeSentDelegate(self)
        }
    }
}

/// Like all below it notes which task is whose, and that the session became invalid.
private protocol Noting: LaneDelegate, URLSessionTaskDelegate {}

extension Noting {
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) { _ = label(task) }
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { player.becameInvalid() }
}

private protocol AnsweringRedirects: Noting {}

extension AnsweringRedirects {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { redirect(task, response, request, completionHandler) }
}

private protocol AnsweringChallenges: Noting {}

extension AnsweringChallenges {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { self.challenge(task, challenge, completionHandler) }
}

private protocol CountingSentBytes: Noting {}

extension CountingSentBytes {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) { sent(task, bytesSent, totalBytesSent, totalBytesExpectedToSend) }
}

private protocol ProvidingStreams: Noting {}

extension ProvidingStreams {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { needStream(task, completionHandler) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { needStream(task, from: offset, completionHandler) }
}

private protocol AnsweringDelays: Noting {}

extension AnsweringDelays {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) { delayed(task, request, completionHandler) }
}

private final class QuietDelegate: LaneDelegate, Noting, @unchecked Sendable {
    // Safety: adds no state.
}
private final class RedirectDelegate: LaneDelegate, AnsweringRedirects, @unchecked Sendable {
    // Safety: adds no state.
}
private final class ChallengeDelegate: LaneDelegate, AnsweringChallenges, @unchecked Sendable {
    // Safety: adds no state.
}
private final class SentDelegate: LaneDelegate, CountingSentBytes, @unchecked Sendable {
    // Safety: adds no state.
}
private final class RedirectChallengeDelegate:
    LaneDelegate, AnsweringRedirects, AnsweringChallenges, @unchecked Sendable
{
    // Safety: adds no state.
}
private final class RedirectSentDelegate: LaneDelegate, AnsweringRedirects, CountingSentBytes, @unchecked Sendable {
    // Safety: adds no state.
}
private final class ChallengeSentDelegate: LaneDelegate, AnsweringChallenges, CountingSentBytes, @unchecked Sendable {
    // Safety: adds no state.
}
private final class RedirectChallengeSentDelegate:
    LaneDelegate, AnsweringRedirects, AnsweringChallenges, CountingSentBytes, @unchecked Sendable
{
    // Safety: adds no state.
}
/// Whoever wants metrics has everything else as well.
private final class MeasuringQuestionDelegate:
    LaneDelegate, AnsweringDelays, AnsweringRedirects, AnsweringChallenges, CountingSentBytes, ProvidingStreams,
    @unchecked Sendable
{
    // Safety: adds no state.

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        measured(task, metrics)
    }
}
private final class DelayingDelegate:
    LaneDelegate, AnsweringDelays, AnsweringRedirects, AnsweringChallenges, CountingSentBytes, @unchecked Sendable
{
    // Safety: adds no state.
}
/// A new stream is asked for after a redirect or a challenge, so whoever provides it has these methods as well.
private final class StreamingDelegate:
    LaneDelegate, AnsweringRedirects, AnsweringChallenges, CountingSentBytes, ProvidingStreams, @unchecked Sendable
{
    // Safety: adds no state.
}
