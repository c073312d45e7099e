#if !canImport(Darwin)
import Foundation

/// Loads the requests that it accepts, in place of the session: over another protocol, from another place, or
/// with made-up answers in a test. Use a subclass, never this class itself.
///
/// A session finds its class in `URLSessionConfiguration.protocolClasses`, in the order given; `URLSession.shared` also
/// in the classes that were registered, the last one first. If no class takes it, the session loads it itself. After a
/// redirect they are asked again. Classes are asked, and their objects are made, started and stopped, on one
/// serial queue of the session: one that blocks there delays the others of its session only.
/// Source: developer.apple.com, URLProtocol.
///
/// To the task's user a loaded answer is like one of a server: the order of calls, all styles, files of downloads,
/// questions, timeouts, suspension and cancelling are the same.
///
/// Differs from Apple: the request's `httpBody` stays; there it becomes a stream.
open class URLProtocol: NSObject {
    /// The request to load, as `canonicalRequest(for:)` gave it.
    open var request: URLRequest { loading }
    private let loading: URLRequest

    /// Receives what is loaded.
    open var client: (any URLProtocolClient)? { taker }
    private let taker: (any URLProtocolClient)?

    /// What the session's cache has kept for this request, however old; whether it is still right the class decides.
    /// Nil if there is nothing, for all but data tasks, and under a policy that ignores what is kept. An object that a
    /// session makes waits no longer than a quarter of a second for what is on disk.
    open var cachedResponse: CachedURLResponse? { cached }
    private let cached: CachedURLResponse?

    /// The task that wants the answer. Nil for an object that the caller made from a request.
    open private(set) var task: URLSessionTask?

    /// Makes an object for a request.
    public required init(
        request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
        loading = request
        cached = cachedResponse
        taker = client
        super.init()
    }

    /// Makes an object for a task: the initialiser that a session calls. Goes on to the other one with the task's
    /// current request.
    public required convenience init(
        task: URLSessionTask, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
        let request = task.currentRequest ?? task.originalRequest ?? URLRequest(RequestValues(url: nil))
        self.init(request: request, cachedResponse: cachedResponse, client: client)
        self.task = task
    }

    /// Whether this class loads such requests; no, unless a subclass returns true.
    open class func canInit(with request: URLRequest) -> Bool { false }

    /// Whether this class loads such tasks: what a session asks. By default `canInit(with:)` of the current request.
    open class func canInit(with task: URLSessionTask) -> Bool {
        (task.currentRequest ?? task.originalRequest).map { canInit(with: $0) } ?? false
    }

    /// The form of a request that is to be loaded, and becomes the task's `currentRequest`; by default the same.
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Whether a cached answer to one request would also answer the other; by default when their URLs are equal.
    open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { a.url == b.url }

    /// Begins to load; called once. What is loaded goes to `client`, from here or later and from any thread.
    ///
    /// To be overridden. By default the load fails with `URLError.unsupportedURL`.
    open func startLoading() { client?.urlProtocol(self, didFailWithError: URLError(.unsupportedURL)) }

    /// The load is over: finished, failed, redirected, cancelled or timed out. Called once, behind `startLoading()`;
    /// later calls of `client` are ignored. To be overridden where there is something to stop.
    open func stopLoading() {}

    /// The value that is kept under `key` with a request; it is never sent, and goes along with a redirect.
    open class func property(forKey key: String, in request: URLRequest) -> Any? {
        request.values.protocolProperties?[key]
    }

    /// Keeps a value with a request, such as a mark that the class has seen it.
    open class func setProperty(_ value: Any, forKey key: String, in request: NSMutableURLRequest) {
        request.request.values.protocolProperties = (request.request.values.protocolProperties ?? [:])
            .merging([key: value]) { $1 }
    }

    /// Forgets what was kept under `key`.
    open class func removeProperty(forKey key: String, in request: NSMutableURLRequest) {
        request.request.values.protocolProperties?[key] = nil
    }

    /// Lets `URLSession.shared` ask this class, before those that were registered earlier.
    ///
    /// Sessions with a configuration of their own ask the classes of `protocolClasses` only.
    ///
    /// - Returns: False when it is no subclass of `URLProtocol`.
    open class func registerClass(_ protocolClass: AnyClass) -> Bool { ProtocolClasses.register(protocolClass) }

    /// Takes a registration back, the latest if there are several. Loads that have begun go on.
    open class func unregisterClass(_ protocolClass: AnyClass) { ProtocolClasses.unregister(protocolClass) }
}
#endif
