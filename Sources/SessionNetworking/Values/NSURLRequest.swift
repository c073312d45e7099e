#if !canImport(Darwin)
import Foundation

/// A request as an immutable object. New code uses the value `URLRequest`; `as` converts either way.
open class NSURLRequest: NSObject, NSSecureCoding, NSCopying, NSMutableCopying {
    /// The value that this object stands for.
    final var request: URLRequest

    /// True: archives of requests can be read back safely.
    open class var supportsSecureCoding: Bool { true }

    /// A GET request with the protocol's cache policy and the session's timeout.
    public convenience init(url: URL) { self.init(url: url, cachePolicy: .useProtocolCachePolicy, timeoutInterval: 60) }

    /// A GET request; the arguments mean what they mean in `URLRequest.init(url:cachePolicy:timeoutInterval:)`.
    public init(url: URL, cachePolicy: NSURLRequest.CachePolicy, timeoutInterval: TimeInterval) {
        request = URLRequest(url: url, cachePolicy: cachePolicy, timeoutInterval: timeoutInterval)
        super.init()
    }

    /// Reads a request that `encode(with:)` wrote; nil when the archive holds none, or a damaged one.
    public required init?(coder aDecoder: NSCoder) {
        guard let archive = ArchivedState<RequestArchive>.decode(from: aDecoder, key: "request") else { return nil }
        request = URLRequest(archive.values)
        super.init()
    }

    /// Writes the request, without its body stream, into a keyed archive. Another kind of coder gets nothing.
    open func encode(with aCoder: NSCoder) {
        ArchivedState.encode(RequestArchive(request.values), into: aCoder, key: "request")
    }

    /// An immutable object that says `request`.
    static func saying(_ request: URLRequest) -> NSURLRequest {
        let object = NSURLRequest(url: nowhere)
        object.request = request
        return object
    }

    /// Stands in until `saying` has put the real request in place, which need not have a URL.
    static let nowhere = URL(fileURLWithPath: "/")

    /// An immutable copy; this object itself when it is immutable already.
    open override func copy() -> Any { copy(with: nil) }

    /// An immutable copy; this object itself when it is immutable already. `zone` is ignored.
    open func copy(with zone: NSZone? = nil) -> Any {
        type(of: self) == NSURLRequest.self ? self : NSURLRequest.saying(request)
    }

    /// A mutable copy.
    open override func mutableCopy() -> Any { mutableCopy(with: nil) }

    /// A mutable copy. `zone` is ignored.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = NSMutableURLRequest(url: NSURLRequest.nowhere)
        copy.request = request
        return copy
    }

    /// Whether the other object is a request that says the same, mutable or not.
    open override func isEqual(_ object: Any?) -> Bool {
        if let other = object as? NSURLRequest { return self === other || request == other.request }
        return false
    }

    /// Equal for equal requests. Changes with a mutable request, which therefore is no good key while it changes.
    open override var hash: Int { request.hashValue }

    /// The object's identity and the URL, in Foundation's form.
    open override var description: String { "\(super.description) { URL: \(request.url?.description ?? "(null)") }" }

    /// What to load.
    open var url: URL? { request.url }
    /// See `URLRequest.mainDocumentURL`.
    open var mainDocumentURL: URL? { request.mainDocumentURL }
    /// See `URLRequest.cachePolicy`.
    open var cachePolicy: NSURLRequest.CachePolicy { request.cachePolicy }
    /// The longest silence in seconds; see `URLRequest.timeoutInterval`.
    open var timeoutInterval: TimeInterval { request.timeoutInterval }
    /// The method, `GET` if never set.
    open internal(set) var httpMethod: String? {
        get { request.httpMethod }
        set { request.httpMethod = newValue }
    }
    /// The value of a header field, nil when it is not set; the name's case does not matter.
    open func value(forHTTPHeaderField field: String) -> String? { request.value(forHTTPHeaderField: field) }
    /// All header fields; nil when none was ever set.
    open var allHTTPHeaderFields: [String: String]? { request.allHTTPHeaderFields }
    /// The body.
    open var httpBody: Data? { request.httpBody }
    /// The body as a stream; see `URLRequest.httpBodyStream`.
    open var httpBodyStream: InputStream? { request.httpBodyStream }
    /// See `URLRequest.networkServiceType`.
    open var networkServiceType: NSURLRequest.NetworkServiceType { request.networkServiceType }
    /// See `URLRequest.allowsCellularAccess`.
    open var allowsCellularAccess: Bool { request.allowsCellularAccess }
    /// See `URLRequest.allowsExpensiveNetworkAccess`.
    open var allowsExpensiveNetworkAccess: Bool { request.allowsExpensiveNetworkAccess }
    /// See `URLRequest.allowsConstrainedNetworkAccess`.
    open var allowsConstrainedNetworkAccess: Bool { request.allowsConstrainedNetworkAccess }
    /// See `URLRequest.assumesHTTP3Capable`.
    open var assumesHTTP3Capable: Bool { request.assumesHTTP3Capable }
    /// See `URLRequest.allowsPersistentDNS`.
    open var allowsPersistentDNS: Bool { request.allowsPersistentDNS }
    /// See `URLRequest.attribution`.
    open var attribution: NSURLRequest.Attribution { request.attribution }
    /// See `URLRequest.httpShouldHandleCookies`.
    open var httpShouldHandleCookies: Bool { request.httpShouldHandleCookies }
    /// See `URLRequest.httpShouldUsePipelining`.
    open var httpShouldUsePipelining: Bool { request.httpShouldUsePipelining }
}

/// A mutable subclass exists, so that a reference may not cross threads; the value `URLRequest` may.
@available(*, unavailable)
extension NSURLRequest: @unchecked Sendable {}

extension NSURLRequest {
    /// Where a response may come from; see `URLRequest.cachePolicy`.
    public enum CachePolicy: UInt, Sendable {
        /// As the protocol prescribes (RFC 9111).
        case useProtocolCachePolicy = 0
        /// From the server, without the local cache.
        case reloadIgnoringLocalCacheData = 1
        /// From the server, and no cache on the way may answer either.
        case reloadIgnoringLocalAndRemoteCacheData = 4
        /// From the cache at any age, else from the server.
        case returnCacheDataElseLoad = 2
        /// From the cache at any age, else not at all.
        case returnCacheDataDontLoad = 3
        /// From the cache once the server has confirmed it.
        case reloadRevalidatingCacheData = 5

        /// The older name of `reloadIgnoringLocalCacheData`.
        public static var reloadIgnoringCacheData: CachePolicy { .reloadIgnoringLocalCacheData }
    }

    /// Who named a URL, for a report about privacy that Linux does not have.
    public enum Attribution: UInt, Sendable {
        /// The program.
        case developer = 0
        /// The user, as in a browser's address field.
        case user = 1
    }

    /// What kind of traffic a request belongs to: its packets are marked for it (see `URLRequest.networkServiceType`).
    public enum NetworkServiceType: UInt, Sendable {
        /// Anything else.
        case `default` = 0
        /// The control channel of a call.
        case voip = 1
        /// Streamed pictures.
        case video = 2
        /// Work that the user does not wait for.
        case background = 3
        /// Streamed speech.
        case voice = 4
        /// Data that the user waits for.
        case responsiveData = 6
        /// Streamed pictures and sound.
        case avStreaming = 8
        /// The same, which the user waits for.
        case responsiveAV = 9
        /// Setting up a call.
        case networkServiceTypeCallSignaling = 11

        /// The mark of its packets (RFC 2474), by the service classes of RFC 4594 (BEHAVIOUR 1.A2-mark).
        package var codePoint: UInt8 {
            switch self {
            case .default: 0
            case .voip, .networkServiceTypeCallSignaling: 40  // Signaling: CS5
            case .video: 34  // Multimedia conferencing: AF41
            case .background: 1  // Lower effort (RFC 8622, in the place of CS1): LE
            case .voice: 46  // Telephony: EF
            case .responsiveData: 18  // Low-latency data: AF21
            case .avStreaming: 26  // Multimedia streaming: AF31
            case .responsiveAV: 32  // Real-time interactive: CS4
            }
        }
    }
}
#endif
