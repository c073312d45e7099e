#if !canImport(Darwin)
import Foundation

/// Takes what a `URLProtocol` loads. A session's own client is handed to `URLProtocol.init`.
///
/// Its methods may be called from any thread, one after another or not; calls of one thread keep their order. After
/// the end (`urlProtocolDidFinishLoading`, `didFailWithError`, `wasRedirectedTo`) and after `stopLoading()` nothing is
/// heard.
public protocol URLProtocolClient: NSObjectProtocol, Sendable {
    /// The answer is a redirect. The delegate is asked as for a server's; then a new object, of whichever class wants
    /// it, or the session loads `request`. This load is over.
    func urlProtocol(
        _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)

    /// The cached answer is still valid: the whole answer, to be delivered from there.
    func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse)

    /// The head of the answer. The object reaches the task's user as it is. One for each load; a second one is ignored.
    ///
    /// `policy` says whether the session's cache keeps the answer, whatever its fields say: of a data task's GET, if it
    /// is one of HTTP, is no part (206, 304), asks for no credentials (401, 407), and has no `Vary: *`.
    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy)

    /// The next bytes of the body, only what is new. Without a response before it, an empty one is told.
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)

    /// The answer is complete.
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)

    /// Loading failed; the task completes with this error.
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)

    /// A credential is wanted, before there is a response. The delegate's answer comes back through the challenge's
    /// `sender`, on the queue that the object was started on; without a delegate it is `performDefaultHandling`.
    /// Cancelling the challenge also cancels the task.
    func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)

    /// The credential is no longer wanted: the delegate's answer is not passed on.
    func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}
#endif
