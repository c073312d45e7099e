#if !canImport(Darwin)
import Foundation
import HTTPBasics

/// A request to load a URL: where, how, with which header fields and which body.
///
/// A value: copies are independent, and copying costs one retain until one of the copies is changed.
/// May be used from any thread.
public struct URLRequest: Sendable {
    /// The class of which this is the value form.
    public typealias ReferenceType = NSURLRequest
    /// Where a response may come from.
    public typealias CachePolicy = NSURLRequest.CachePolicy
    /// What kind of traffic a request belongs to.
    public typealias NetworkServiceType = NSURLRequest.NetworkServiceType
    /// Who named a URL.
    public typealias Attribution = NSURLRequest.Attribution

    private var storage: RequestStorage

    /// A GET request for `url`.
    ///
    /// - Parameters:
    ///   - url: What to load, kept as its absolute URL: http, `data:`, `file:`, or what a protocol class of the session
    ///     loads. A task for anything else fails with `URLError.unsupportedURL`.
    ///   - cachePolicy: See the property.
    ///   - timeoutInterval: The longest silence in seconds. Any other value than 60 counts as chosen by the caller
    ///     and wins over the session's. (FoundationNetworking ignores it here and heeds only the property.)
    public init(
        url: URL, cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0
    ) {
        var values = RequestValues(url: url.absoluteURL)
        values.cachePolicy = cachePolicy
        values.explicitTimeout = timeoutInterval == RequestValues.defaultTimeout ? nil : timeoutInterval
        self.init(values)
    }

    init(_ values: RequestValues) { storage = RequestStorage(values) }

    var values: RequestValues {
        get { storage.values }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = RequestStorage(storage.values) }
            yield &storage.values
        }
    }

    /// The caller's own timeout in seconds, nil when the session's shall apply (BEHAVIOUR 1.D1).
    package var explicitTimeout: TimeInterval? { storage.values.explicitTimeout }

    /// The header fields in the order in which they were set.
    package var fields: Fields { storage.values.fields ?? Fields() }

    /// What to load, as it was set: a relative URL keeps its base. A task without one fails with
    /// `URLError.unsupportedURL`.
    public var url: URL? {
        get { storage.values.url }
        set { values.url = newValue }
    }

    /// Where a response may come from; the protocol's policy counts as none, and then the session's
    /// `requestCachePolicy` holds.
    ///
    /// By the protocol's policy (RFC 9111) a fresh answer of the session's `urlCache` is taken, and a stale one once
    /// its server has confirmed it. `.returnCacheDataElseLoad` and `.returnCacheDataDontLoad` take one of any age; with
    /// the latter a task fails with `URLError.resourceUnavailable` where nothing is kept. With
    /// `.reloadRevalidatingCacheData` the server is always asked. `.reloadIgnoringLocalCacheData` takes nothing from
    /// the cache, and `.reloadIgnoringLocalAndRemoteCacheData` also tells caches on the way not to answer
    /// (`Cache-Control: no-cache`, `Pragma: no-cache`), unless the request has these fields. What is loaded is kept
    /// under every policy. `data:` and `file:` URLs are loaded under every policy.
    public var cachePolicy: URLRequest.CachePolicy {
        get { storage.values.cachePolicy }
        set { values.cachePolicy = newValue }
    }

    /// The longest silence in seconds before the task fails with `URLError.timedOut`; 60 if never set.
    ///
    /// Fractions count. Once set, it wins over `URLSessionConfiguration.timeoutIntervalForRequest`, whether it is
    /// longer or shorter. Zero or less counts as never set.
    public var timeoutInterval: TimeInterval {
        get { storage.values.timeout }
        set { values.explicitTimeout = newValue }
    }

    /// The page on whose behalf this is loaded: with the policy `onlyFromMainDocumentDomain` cookies of other sites are
    /// not kept. Without one all are.
    public var mainDocumentURL: URL? {
        get { storage.values.mainDocumentURL }
        set { values.mainDocumentURL = newValue }
    }

    /// What kind of traffic this is; with `.default` the session's type holds.
    ///
    /// The packets of the task's connections, redirects included, carry the mark (DSCP) of the service class in RFC
    /// 4594, for networks that act on it: `.voice` EF, `.voip` and call signalling CS5, `.video` AF41,
    /// `.responsiveAV` CS4, `.avStreaming` AF31, `.responsiveData` AF21, `.background` LE. Tasks with different marks
    /// share no connection. What a request to another place asks for (a redirect's) does not count.
    public var networkServiceType: URLRequest.NetworkServiceType {
        get { storage.values.networkServiceType }
        set { values.networkServiceType = newValue }
    }

    /// Whether a cellular network may be used; true. See `URLSessionConfiguration.allowsCellularAccess`, which counts
    /// as well.
    public var allowsCellularAccess: Bool {
        get { storage.values.allowsCellularAccess }
        set { values.allowsCellularAccess = newValue }
    }

    /// Whether a network that costs much may be used; true. See
    /// `URLSessionConfiguration.allowsExpensiveNetworkAccess`, which counts as well.
    public var allowsExpensiveNetworkAccess: Bool {
        get { storage.values.allowsExpensiveNetworkAccess }
        set { values.allowsExpensiveNetworkAccess = newValue }
    }

    /// Whether a network may be used of which little is to be used; true. See
    /// `URLSessionConfiguration.allowsConstrainedNetworkAccess`, which counts as well.
    public var allowsConstrainedNetworkAccess: Bool {
        get { storage.values.allowsConstrainedNetworkAccess }
        set { values.allowsConstrainedNetworkAccess = newValue }
    }

    /// Whether the server is taken to speak HTTP/3. Kept with the request; HTTP/3 is not spoken.
    public var assumesHTTP3Capable: Bool {
        get { storage.values.assumesHTTP3Capable }
        set { values.assumesHTTP3Capable = newValue }
    }

    /// Whether addresses of the host may be kept on disk. Kept with the request; none are kept there.
    public var allowsPersistentDNS: Bool {
        get { storage.values.allowsPersistentDNS }
        set { values.allowsPersistentDNS = newValue }
    }

    /// Whether the developer or the user named the URL. Kept with the request; Linux has no privacy report that would
    /// say so.
    public var attribution: URLRequest.Attribution {
        get { storage.values.attribution }
        set { values.attribution = newValue }
    }

    /// The method, `GET` if never set or set to nil.
    ///
    /// GET, HEAD, POST, PUT, DELETE and CONNECT get their capitals when they are set; any other method is kept and sent
    /// as given, since methods are case-sensitive (RFC 9110 9.1). One that is no token fails the task with
    /// `URLError.cannotParseResponse`.
    public var httpMethod: String? {
        get { storage.values.method }
        set { values.method = HTTPMethod.inUsualCase(newValue ?? "GET") }
    }

    /// All header fields of this request; nil when none was ever set. Assigning replaces them all.
    ///
    /// Well-known names get their usual spelling, other names keep the caller's. A value with a line end or a NUL is
    /// kept here, and fails the task with `URLError.cannotParseResponse` before anything is sent.
    public var allHTTPHeaderFields: [String: String]? {
        get { storage.values.fieldDictionary }
        set { values.fieldDictionary = newValue }
    }

    /// The body. Setting it removes `httpBodyStream`. A GET with a body fails with `dataLengthExceedsMaximum`.
    public var httpBody: Data? {
        get { storage.values.body }
        set {
            values.body = newValue
            if newValue != nil { values.bodyStream = nil }
        }
    }

    /// The body as a stream, not opened yet. Setting it removes `httpBody`.
    ///
    /// Read on a thread of its own, 64 KiB at a time, and only as fast as the server takes it. Sent in chunks unless
    /// Content-Length is set; a stream that then gives more or fewer bytes fails the task with
    /// `URLError.requestBodyStreamExhausted`, and so does one that is open already or cannot be read. A body that has
    /// to be sent again is taken from the delegate's `needNewBodyStream`. Do not touch a stream that a task was made
    /// with.
    public var httpBodyStream: InputStream? {
        get { storage.values.bodyStream }
        set {
            values.bodyStream = newValue
            if newValue != nil { values.body = nil }
        }
    }

    /// Whether the session's cookies are sent with the request, and those of its answer kept; true.
    public var httpShouldHandleCookies: Bool {
        get { storage.values.shouldHandleCookies }
        set { values.shouldHandleCookies = newValue }
    }

    /// Whether requests may follow each other without waiting for answers. Kept with the request and never acted on: no
    /// session does (BEHAVIOUR 2.F7).
    public var httpShouldUsePipelining: Bool {
        get { storage.values.shouldUsePipelining }
        set { values.shouldUsePipelining = newValue }
    }

    /// The value of a header field, nil when it is not set; the name's case does not matter.
    public func value(forHTTPHeaderField field: String) -> String? { storage.values.fields?.first(field) }

    /// Sets a header field, replacing what it held; nil removes it. The name's case does not matter.
    ///
    /// A value with a line end or a NUL could add fields of its own: it is dropped, and the field keeps its value.
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
        values.setField(field, value)
    }

    /// Adds to a header field: to a value that is there, with a comma between them. A value with a line end or a NUL is
    /// dropped.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) { values.addField(field, value) }
}

extension URLRequest: Hashable {
    /// Equal in everything that they say; fields in another order do not count as a difference.
    public static func == (lhs: URLRequest, rhs: URLRequest) -> Bool {
        lhs.storage === rhs.storage || lhs.storage.values == rhs.storage.values
    }

    /// Feeds URL, main document, method, body stream, and whether cellular access and cookies are allowed: as
    /// Foundation's requests do (BEHAVIOUR 1.A5-hash).
    public func hash(into hasher: inout Hasher) {
        let values = storage.values
        hasher.combine(values.url)
        hasher.combine(values.mainDocumentURL)
        hasher.combine(values.method)
        hasher.combine(values.bodyStream)
        hasher.combine(values.allowsCellularAccess)
        hasher.combine(values.shouldHandleCookies)
    }
}

extension URLRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL.
    public var description: String { url?.description ?? "url: nil" }

    /// The URL.
    public var debugDescription: String { description }

    /// The public properties with their values; of fields whose names say that they are secrets only that they are
    /// there.
    public var customMirror: Mirror {
        let values = storage.values
        return Mirror(
            self,
            children: [
                ("url", values.url as Any),
                ("cachePolicy", values.cachePolicy.rawValue),
                ("timeoutInterval", values.timeout),
                ("mainDocumentURL", values.mainDocumentURL as Any),
                ("networkServiceType", values.networkServiceType),
                ("allowsCellularAccess", values.allowsCellularAccess),
                ("allowsExpensiveNetworkAccess", values.allowsExpensiveNetworkAccess),
                ("allowsConstrainedNetworkAccess", values.allowsConstrainedNetworkAccess),
                ("assumesHTTP3Capable", values.assumesHTTP3Capable),
                ("allowsPersistentDNS", values.allowsPersistentDNS),
                ("attribution", values.attribution),
                ("httpMethod", httpMethod as Any),
                ("allHTTPHeaderFields", values.shownFields as Any),
                ("httpBody", values.body as Any),
                ("httpBodyStream", values.bodyStream as Any),
                ("httpShouldHandleCookies", values.shouldHandleCookies),
                ("httpShouldUsePipelining", values.shouldUsePipelining),
            ],
            displayStyle: .struct)
    }
}
#endif
