#if !canImport(Darwin)
import Foundation

/// Messages of data tasks that were made without a completion handler.
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    /// The head of the response is there; nothing else is told until the handler is called.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)

    /// Asynchronous form.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition

    /// The response was answered with `.becomeDownload`: nothing more is told of `dataTask`, which is over. The
    /// transfer goes on as `downloadTask`, under the same identifier and with the same delegate; its messages are those
    /// of `URLSessionDownloadDelegate`, and the file holds the body from its first byte on.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask)

    /// The next bytes of the body; only what is new. Working slowly here holds the server back.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)

    /// The answer is whole, and the session's cache would keep it: as what the handler is given, or not at all for nil.
    /// The task completes after that.
    ///
    /// Not called for every answer: only for one of a server with a status of 200 to 299 to a GET, which the session's
    /// and the request's policy, the answer's own fields and its size allow to be kept.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void)

    /// Asynchronous form.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
    ) async -> CachedURLResponse?
}

extension URLSessionDataDelegate {
    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if CallToken.markUnimplemented(self, .response) { return }
        ResponseQuestion(session: session, dataTask: dataTask, response: response, answer: completionHandler)
            .goOnInAsyncForm(of: self)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition {
        if CallToken.markUnimplemented(self, .responseAsync) { return .allow }
        return await ResponseQuestion.answer(of: self) { answer in
            ResponseQuestion(session: session, dataTask: dataTask, response: response, answer: answer)
        }
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
        CallToken.markUnimplemented(self, .becameDownload)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        CallToken.markUnimplemented(self, .data)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        if CallToken.markUnimplemented(self, .willCache) { return }
        WillCacheQuestion(session: session, dataTask: dataTask, proposed: proposedResponse, answer: completionHandler)
            .goOnInAsyncForm(of: self)
    }

    /// Left out by the delegate: as if it were not there for this message.
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
    ) async -> CachedURLResponse? {
        if CallToken.markUnimplemented(self, .willCacheAsync) { return proposedResponse }
        return await WillCacheQuestion.answer(of: self) { answer in
            WillCacheQuestion(session: session, dataTask: dataTask, proposed: proposedResponse, answer: answer)
        }
    }
}
#endif
