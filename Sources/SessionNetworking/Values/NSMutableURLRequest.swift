#if !canImport(Darwin)
import Foundation

/// A request as a mutable object. Belongs to one thread at a time; new code uses the value `URLRequest`.
open class NSMutableURLRequest: NSURLRequest {
    /// A GET request with the protocol's cache policy and the session's timeout.
    public convenience init(url: URL) { self.init(url: url, cachePolicy: .useProtocolCachePolicy, timeoutInterval: 60) }

    /// A GET request; the arguments mean what they mean in `URLRequest.init(url:cachePolicy:timeoutInterval:)`.
    public override init(url: URL, cachePolicy: NSURLRequest.CachePolicy, timeoutInterval: TimeInterval) {
        super.init(url: url, cachePolicy: cachePolicy, timeoutInterval: timeoutInterval)
    }

    /// Reads a request that `encode(with:)` wrote; nil when the archive holds none, or a damaged one.
    public required init?(coder aDecoder: NSCoder) { super.init(coder: aDecoder) }

    /// An immutable copy of what this request says now. `zone` is ignored.
    open override func copy(with zone: NSZone? = nil) -> Any { NSURLRequest.saying(request) }

    /// What to load, as it was set; a task without it fails with `URLError.unsupportedURL`.
    open override var url: URL? {
        get { request.url }
        set { request.url = newValue }
    }

    /// See `URLRequest.mainDocumentURL`.
    open override var mainDocumentURL: URL? {
        get { request.mainDocumentURL }
        set { request.mainDocumentURL = newValue }
    }

    /// See `URLRequest.cachePolicy`.
    open override var cachePolicy: NSURLRequest.CachePolicy {
        get { request.cachePolicy }
        set { request.cachePolicy = newValue }
    }

    /// The longest silence in seconds; see `URLRequest.timeoutInterval`.
    open override var timeoutInterval: TimeInterval {
        get { request.timeoutInterval }
        set { request.timeoutInterval = newValue }
    }

    /// The method; nil stands for `GET`. See `URLRequest.httpMethod`.
    open override var httpMethod: String? {
        get { request.httpMethod }
        set { request.httpMethod = newValue }
    }

    /// All header fields; nil when none was ever set. Assigning replaces them all.
    open override var allHTTPHeaderFields: [String: String]? {
        get { request.allHTTPHeaderFields }
        set { request.allHTTPHeaderFields = newValue }
    }

    /// Sets a header field, replacing what it held; nil removes it. See `URLRequest.setValue`.
    open func setValue(_ value: String?, forHTTPHeaderField field: String) {
        request.setValue(value, forHTTPHeaderField: field)
    }

    /// Adds to a header field: to a value that is there, with a comma between them. See `URLRequest.addValue`.
    open func addValue(_ value: String, forHTTPHeaderField field: String) {
        request.addValue(value, forHTTPHeaderField: field)
    }

    /// The body. Setting it removes `httpBodyStream`.
    open override var httpBody: Data? {
        get { request.httpBody }
        set { request.httpBody = newValue }
    }

    /// The body as a stream, not opened yet. Setting it removes `httpBody`; see `URLRequest.httpBodyStream`.
    open override var httpBodyStream: InputStream? {
        get { request.httpBodyStream }
        set { request.httpBodyStream = newValue }
    }

    /// See `URLRequest.networkServiceType`.
    open override var networkServiceType: NSURLRequest.NetworkServiceType {
        get { request.networkServiceType }
        set { request.networkServiceType = newValue }
    }

    /// See `URLRequest.allowsCellularAccess`.
    open override var allowsCellularAccess: Bool {
        get { request.allowsCellularAccess }
        set { request.allowsCellularAccess = newValue }
    }

    /// See `URLRequest.allowsExpensiveNetworkAccess`.
    open override var allowsExpensiveNetworkAccess: Bool {
        get { request.allowsExpensiveNetworkAccess }
        set { request.allowsExpensiveNetworkAccess = newValue }
    }
    /// See `URLRequest.allowsConstrainedNetworkAccess`.
    open override var allowsConstrainedNetworkAccess: Bool {
        get { request.allowsConstrainedNetworkAccess }
        set { request.allowsConstrainedNetworkAccess = newValue }
    }
    /// See `URLRequest.assumesHTTP3Capable`.
    open override var assumesHTTP3Capable: Bool {
        get { request.assumesHTTP3Capable }
        set { request.assumesHTTP3Capable = newValue }
    }
    /// See `URLRequest.allowsPersistentDNS`.
    open override var allowsPersistentDNS: Bool {
        get { request.allowsPersistentDNS }
        set { request.allowsPersistentDNS = newValue }
    }
    /// See `URLRequest.attribution`.
    open override var attribution: NSURLRequest.Attribution {
        get { request.attribution }
        set { request.attribution = newValue }
    }
    /// See `URLRequest.httpShouldHandleCookies`.
    open override var httpShouldHandleCookies: Bool {
        get { request.httpShouldHandleCookies }
        set { request.httpShouldHandleCookies = newValue }
    }

    /// See `URLRequest.httpShouldUsePipelining`.
    open override var httpShouldUsePipelining: Bool {
        get { request.httpShouldUsePipelining }
        set { request.httpShouldUsePipelining = newValue }
    }
}
#endif
