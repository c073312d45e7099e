import Foundation
import Judge
import ScenarioFormat

/// Answers in asynchronous methods (BEHAVIOUR 1.A4-async). They run where Swift runs them; what they record and decide
/// is the lane's, and they go there for it.
class AsyncAnswers: LaneDelegate, @unchecked Sendable {
    // Safety: adds no state.

    override var answersAsynchronously: Bool { true }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? {
        await onLane { self.redirect(task, response, request, $0) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await onLane { reply in self.challenge(task, challenge) { reply(($0, $1)) } }
    }

    func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream? {
        await onLane { reply in self.needStream(task) { reply(Stream($0)) } }.stream
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
    ) async -> (URLSession.DelayedRequestDisposition, URLRequest?) {
        await onLane { reply in self.delayed(task, request) { reply(($0, $1)) } }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition {
        await onLane { self.response(dataTask, response, $0) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
    ) async -> CachedURLResponse? {
        await onLane { self.willCache(dataTask, proposedResponse, $0) }
    }

    private func onLane<Answer: Sendable>(
        _ ask: @escaping @Sendable (@escaping @Sendable (Answer) -> Void) -> Void
    ) async -> Answer {
        await withCheckedContinuation { continuation in
            player.onLane { ask { continuation.resume(returning: $0) } }
        }
    }

    private struct Stream: @unchecked Sendable {
        // Safety: made for one reader, who gets it here.
        let stream: InputStream?

        init(_ stream: InputStream?) { self.stream = stream }
    }

    /// A method that not every URLSession knows.
    func urlSession(
        _ session: URLSession, needNewBodyStreamForTask task: URLSessionTask, from offset: Int64
    ) async -> InputStream? {
        await onLane { reply in self.needStream(task, from: offset) { reply(Stream($0)) } }.stream
    }
}

/// Has those, and what is only told.
final class AsyncDelegate: AsyncAnswers, ToldDelegate, @unchecked Sendable {
    // Safety: adds no state.
}
