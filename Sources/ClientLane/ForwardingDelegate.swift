import Foundation
import Judge
import ScenarioFormat

/// Has every method, and hands each call on to another object, which answers in asynchronous methods and lacks what is
/// only told (BEHAVIOUR 1.B1-forwarded). What the other one lacks says nothing about this one.
final class ForwardingDelegate: LaneDelegate, ToldDelegate, @unchecked Sendable {
    // Safety: `other` is made on the lane, where every call comes.
    private lazy var other: any URLSessionDataDelegate = AsyncResponder(player, for: self)

    // MARK: Questions: the other one records them

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        other.urlSession(session, task: task, willBeginDelayedRequest: request, completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        other.urlSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        other.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        other.urlSession(session, task: task, needNewBodyStream: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        other.urlSession(
            session, task: task, needNewBodyStreamFrom: offset, completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        other.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        other.urlSession(
            session, dataTask: dataTask, willCacheResponse: proposedResponse, completionHandler: completionHandler)
    }

    // MARK: What is only told: the other one has nothing for it, and is no delegate of downloads

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        player.becameInvalid(session)
        other.urlSession(session, didBecomeInvalidWithError: error)
    }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
        created(task)
        other.urlSession(session, didCreateTask: task)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        sent(task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
        other.urlSession(
            session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        waiting(task)
        other.urlSession(session, taskIsWaitingForConnectivity: task)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        informational(task, response)
        other.urlSession(session, task: task, didReceiveInformationalResponse: response)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
        player.becameDownload(downloadTask, label(downloadTask))
        other.urlSession(session, dataTask: dataTask, didBecome: downloadTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        player.tookData(data, dataTask, by: self)
        other.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        completed(task, error)
        other.urlSession(session, task: task, didCompleteWithError: error)
    }
}

/// Answers questions on behalf of another delegate.
private final class AsyncResponder: AsyncAnswers, URLSessionDataDelegate, @unchecked Sendable {
    // Safety: immutable.
    private weak let asker: LaneDelegate?

    init(_ player: ClientLanePlayer, for asker: LaneDelegate) {
        self.asker = asker
        super.init(player)
    }

    override var front: LaneDelegate? { asker }
}
