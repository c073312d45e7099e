#if !canImport(Darwin)
import Foundation
import Locks

/// How a session behaves. A session copies its configuration when it is made; later changes do not reach it.
///
/// Properties that have no effect on Linux say so: they keep what is set. May be used from any thread; each property on
/// its own is atomic.
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
    // Safety of the unchecked conformance: all state is behind the lock.
    private final let guarded: Lock<ConfigurationValues>

    /// A new configuration with the defaults; each call gives another object.
    open class var `default`: URLSessionConfiguration { URLSessionConfiguration() }

    /// A new configuration for a session that keeps nothing on disk beyond its downloads.
    ///
    /// It has storages of credentials and cookies and a cache of its own, in memory.
    open class var ephemeral: URLSessionConfiguration {
        URLSessionConfiguration(
            ConfigurationValues(URLCredentialStorage(), HTTPCookieStorage(), URLCache()))
    }

    /// A configuration with the defaults, as `default` gives it.
    public override init() {
        guarded = Lock(ConfigurationValues())
        super.init()
    }

    private init(_ values: ConfigurationValues) {
        guarded = Lock(values)
        super.init()
    }

    /// An independent copy, of the same class only when that is `URLSessionConfiguration` itself.
    open override func copy() -> Any { copy(with: nil) }

    /// An independent copy. `zone` is ignored.
    open func copy(with zone: NSZone?) -> Any {
        URLSessionConfiguration(values)
    }

    /// The name of a background session; always nil, as there are none on Linux.
    open var identifier: String? { nil }

    /// The longest silence in seconds before a task fails with `URLError.timedOut`; 60.
    ///
    /// Fractions count. Any progress in either direction restarts it. A request whose own `timeoutInterval` was
    /// set uses that one, longer or shorter. Zero or less means the default.
    open var timeoutIntervalForRequest: TimeInterval {
        get { values.requestTimeout }
        set { change { $0.requestTimeout = newValue } }
    }

    /// The longest whole life of a task in seconds before it fails with `URLError.timedOut`; 604800, seven days.
    ///
    /// Counted from the first `resume()`; never restarts. Zero or less means the default.
    /// (FoundationNetworking does not heed it.)
    open var timeoutIntervalForResource: TimeInterval {
        get { values.resourceTimeout }
        set { change { $0.resourceTimeout = newValue } }
    }

    /// Where responses to requests without a cache policy of their own may come from; `.useProtocolCachePolicy`. See
    /// `URLRequest.cachePolicy` for what each policy does.
    open var requestCachePolicy: NSURLRequest.CachePolicy {
        get { values.cachePolicy }
        set { change { $0.cachePolicy = newValue } }
    }

    /// Where answers are kept, and looked for before a request goes out: `URLCache.shared`, of an ephemeral
    /// configuration one of its own; nil keeps nothing. Only data tasks (and upload tasks, for what they make out of
    /// date) use it. Copies of the configuration share it.
    open var urlCache: URLCache? {
        get { values.cache }
        set { change { $0.cache = newValue } }
    }

    /// Header fields for every request that does not set them itself; nil. Names and values are strings; other
    /// names are left out, and so are values that are invalid in a header. Numbers and other values are sent as they
    /// describe themselves.
    open var httpAdditionalHeaders: [AnyHashable: Any]? {
        get { values.additionalHeaders }
        set { change { $0.additionalHeaders = newValue } }
    }

    /// How many connections the session opens to one scheme, host and port at a time; 6. Less than 1 counts as 1.
    open var httpMaximumConnectionsPerHost: Int {
        get { values.connectionsPerHost }
        set { change { $0.connectionsPerHost = newValue } }
    }

    /// Subclasses of `URLProtocol` that are asked for every request, in this order, before the session loads it itself;
    /// none at first. Other classes in it are passed over; nil counts as none.
    ///
    /// Differs from Apple: the session's own ways (http, `data:` and `file:` URLs) are not listed, and cannot be taken
    /// out.
    open var protocolClasses: [AnyClass]? {
        get { values.protocolClasses }
        set { change { $0.protocolClasses = newValue ?? [] } }
    }

    /// The oldest version of TLS that the session takes; 1.2. With 1.0 or 1.1 the weak ciphers and keys of their time
    /// are taken, too. A version of DTLS counts as 1.2.
    ///
    /// Where it is newer than the maximum, only the maximum is offered.
    open var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { values.tlsMinimum }
        set { change { $0.tlsMinimum = newValue } }
    }

    /// The newest version of TLS that the session offers; 1.3. A version of DTLS counts as 1.3.
    open var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t {
        get { values.tlsMaximum }
        set { change { $0.tlsMaximum = newValue } }
    }

    /// Where the session looks for credentials when a server asks, and keeps those that were good;
    /// `URLCredentialStorage.shared`, of an ephemeral configuration one of its own. Nil: a credential serves the task
    /// alone that it was given to.
    open var urlCredentialStorage: URLCredentialStorage? {
        get { values.credentialStorage }
        set { change { $0.credentialStorage = newValue } }
    }

    /// Which proxies the session's requests take: keys and values as the `kCFNetworkProxies…` constants say; nil, those
    /// that the environment names. An empty dictionary, or one without a proxy, is for none.
    ///
    /// An `http` URL goes to `HTTPProxy` as a whole, an `https` URL through a tunnel that `HTTPSProxy` opens, so that
    /// the proxy reads nothing of it; either goes through `SOCKSProxy` where it has none of these. The proxy looks up
    /// the host's name. `HTTPEnable` and the like need not be there, but switch off with 0. This machine (`localhost`,
    /// 127.0.0.0/8, ::1) is asked directly in any case, unless `ExceptionsList` has the entry `<-loopback>`.
    ///
    /// A proxy that asks for a user is told `kCFProxyUsernameKey` and `kCFProxyPasswordKey`, if they are there: once by
    /// each task, so that a wrong password is said again by the next one. Else the task is challenged, with a space
    /// whose `isProxy()` is true, and with what `urlCredentialStorage` has for that space.
    ///
    /// A task whose HTTP proxy cannot be reached or cannot be read, or does not open a tunnel, and one that a SOCKS
    /// proxy does not connect, fails with a code of `kCFErrorDomainCFNetwork` (see `CFNetworkErrors`); one whose SOCKS
    /// proxy cannot be reached, as if that were its server, with `cannotConnectToHost`, `cannotFindHost` or `timedOut`.
    /// None goes on without its proxy. An entry of `ExceptionsList` that cannot be read does not count, nor does one
    /// behind the first 1,024.
    ///
    /// The environment's variables are those that libcurl reads: `http_proxy`, `https_proxy`, `all_proxy` (URLs, with
    /// user and password if need be; `socks5h://` and `socks4a://` for SOCKS) and `no_proxy`; in capitals all but
    /// `HTTP_PROXY`. One that begins with `https://` means an HTTP proxy over TLS, which no key of the dictionary can
    /// say: delegates are asked about its certificate, with a space whose `isProxy()` is true, and where its TLS fails
    /// the task fails as it does with a server's, with the proxy's name under `kCFProxyHostNameKey`. They are read when
    /// the session is made. There is no proxy auto-configuration (BEHAVIOUR 2.E6-pac).
    open var connectionProxyDictionary: [AnyHashable: Any]? {
        get { values.proxies }
        set { change { $0.proxies = newValue } }
    }

    /// Where the session finds the cookies that it sends, and keeps those that it gets; `HTTPCookieStorage.shared`, of
    /// an ephemeral configuration one of its own, in memory. Nil: none are sent and none kept.
    open var httpCookieStorage: HTTPCookieStorage? {
        get { values.cookieStorage }
        set { change { $0.cookieStorage = newValue } }
    }

    /// Which cookies the session keeps; `onlyFromMainDocumentDomain`. Takes the place of the storage's own policy.
    open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { values.cookiePolicy }
        set { change { $0.cookiePolicy = newValue } }
    }

    /// Whether the cookies of the storage are sent; true. What is kept depends on `httpCookieAcceptPolicy` alone.
    ///
    /// A Cookie field of the request, or of `httpAdditionalHeaders`, is sent where the storage has no cookie for the
    /// place or this is false; otherwise the storage's cookies take its place (BEHAVIOUR 2.C7).
    open var httpShouldSetCookies: Bool {
        get { values.setsCookies }
        set { change { $0.setsCookies = newValue } }
    }

    /// Whether tasks wait where there is no network that they may use, in place of failing with
    /// `URLError.notConnectedToInternet`; false.
    ///
    /// A task that waits tells its delegate once, `urlSession(_:taskIsWaitingForConnectivity:)`, and goes on by itself.
    /// Meanwhile `timeoutIntervalForRequest` does not count, `timeoutIntervalForResource` does. It is about connections
    /// that cannot be made: one that is lost later fails its task with `networkConnectionLost`. There is no network
    /// where the kernel has no route to any other machine, or says of a server that none leads there; a server that
    /// refuses is no such case. This machine itself is always reachable (BEHAVIOUR 1.B16).
    open var waitsForConnectivity: Bool {
        get { values.demands.waits }
        set { change { $0.demands.waits = newValue } }
    }

    /// Whether requests may go out where the default route leads through a cellular interface; true. A request's own
    /// `allowsCellularAccess` counts as well: what either forbids is forbidden.
    ///
    /// Where it is not allowed, tasks fail with `URLError.notConnectedToInternet`, whose `networkUnavailableReason` is
    /// `.cellular`, or wait (`waitsForConnectivity`). An interface is cellular where the kernel calls it `wwan`; the
    /// variable `UNDERSTUDY_NETWORKS` of the environment may say otherwise, as in `wwan0=plain;usb*=cellular expensive`
    /// (BEHAVIOUR 1.B16-kinds).
    open var allowsCellularAccess: Bool {
        get { values.demands.allowsCellular }
        set { change { $0.demands.allowsCellular = newValue } }
    }

    /// Whether requests may go out where the network costs much; true. As `allowsCellularAccess`, with `.expensive`.
    ///
    /// Cellular networks are expensive, and what the variable `UNDERSTUDY_NETWORKS` calls so: Linux does not tell.
    open var allowsExpensiveNetworkAccess: Bool {
        get { values.demands.allowsExpensive }
        set { change { $0.demands.allowsExpensive = newValue } }
    }

    /// Whether requests may go out where little of the network is to be used; true. As `allowsCellularAccess`, with
    /// `.constrained`. Only the variable `UNDERSTUDY_NETWORKS` says which networks are: Linux does not tell.
    open var allowsConstrainedNetworkAccess: Bool {
        get { values.demands.allowsConstrained }
        set { change { $0.demands.allowsConstrained = newValue } }
    }

    /// What kind of traffic the session's is, for requests that say `.default`; `.default`. See
    /// `URLRequest.networkServiceType`, which also says how packets are marked.
    open var networkServiceType: NSURLRequest.NetworkServiceType {
        get { values.networkServiceType }
        set { change { $0.networkServiceType = newValue } }
    }

    /// Whether connections are of multipath TCP (RFC 8684), which can go on when one of several networks is lost;
    /// `.none`. Where the system (Linux before 5.16, or `net.mptcp.enabled=0`) or the server has none, they are of TCP.
    ///
    /// Differs from Apple: which networks are used, and how, is the system's choice (`ip mptcp`), so that all kinds but
    /// `.none` mean the same.
    open var multipathServiceType: MultipathServiceType {
        get { values.multipathServiceType }
        set { change { $0.multipathServiceType = newValue } }
    }

    /// What multipath TCP is for.
    public enum MultipathServiceType: Int, Sendable {
        /// It is not used.
        case none = 0
        /// Another network takes over when the first one fails.
        case handover = 1
        /// The network with the shortest delay is used.
        case interactive = 2
        /// The networks are used together.
        case aggregate = 3
    }

    /// Whether requests may follow each other without waiting for answers; false. Without effect: one exchange at a
    /// time goes over a connection (BEHAVIOUR 2.F7).
    open var httpShouldUsePipelining: Bool {
        get { values.usesPipelining }
        set { change { $0.usesPipelining = newValue } }
    }

    /// Whether the system may choose when background tasks run; false. Without effect: there are no such sessions.
    open var isDiscretionary: Bool {
        get { values.isDiscretionary }
        set { change { $0.isDiscretionary = newValue } }
    }

    /// Whether the program is started for the events of a background session; true. Without effect: there is none.
    open var sessionSendsLaunchEvents: Bool {
        get { values.sendsLaunchEvents }
        set { change { $0.sendsLaunchEvents = newValue } }
    }

    /// Where a background session of an extension keeps its files; nil. Without effect: Linux has no such containers.
    open var sharedContainerIdentifier: String? {
        get { values.sharedContainerIdentifier }
        set { change { $0.sharedContainerIdentifier = newValue } }
    }

    /// Whether connections live on while the program is in the background; false. Without effect: programs on Linux run
    /// on, and so do their connections.
    open var shouldUseExtendedBackgroundIdleMode: Bool {
        get { values.usesExtendedIdleMode }
        set { change { $0.usesExtendedIdleMode = newValue } }
    }

    /// Which of Apple's two loaders is used; true. Without effect: there is one here.
    open var usesClassicLoadingMode: Bool {
        get { values.usesClassicLoadingMode }
        set { change { $0.usesClassicLoadingMode = newValue } }
    }

    /// Whether requests may go out with the first bytes of a resumed TLS connection (RFC 8446 2.3); false. Without
    /// effect: none does, since whoever records such a request can send it again.
    open var enablesEarlyData: Bool {
        get { values.enablesEarlyData }
        set { change { $0.enablesEarlyData = newValue } }
    }

    /// How many bytes of one response's body a task keeps in memory for a completion handler or an async caller;
    /// 2147483648, 2 GiB. Bytes count as they are after decoding. Zero or less means the default.
    ///
    /// A task with a longer body fails with `URLError.dataLengthExceedsMaximum`, before any byte if its head tells the
    /// length. A delegate, `bytes(for:)` and downloads take bodies of any length. Not Apple's: there a body that
    /// unpacks into more than there is memory ends the program (BEHAVIOUR 1.B3-limit).
    open var maximumBodyBytesInMemory: Int64 {
        get { values.maximumBodyBytesInMemory }
        set { change { $0.maximumBodyBytesInMemory = newValue } }
    }

    /// Whether upload tasks offer their server to continue after a lost connection, and in which version of the IETF's
    /// draft about resumable uploads; nil, they do not.
    ///
    /// A server that can continue says so with a 104 while the body is on its way. When the connection is lost then,
    /// the task asks how much has arrived and sends the rest. Not Apple's: there the system decides (BEHAVIOUR 1.I6).
    open var resumableUploadVersion: ResumableUploadVersion? {
        get { values.resumableUploadVersion }
        set { change { $0.resumableUploadVersion = newValue } }
    }

    /// A version of draft-ietf-httpbis-resumable-upload, by the number in `Upload-Draft-Interop-Version`.
    public enum ResumableUploadVersion: Int, Sendable {
        case interop3 = 3
        case interop5 = 5
        case interop6 = 6
    }

    final var values: ConfigurationValues {
        get { guarded.withLock { $0 } }
        set { change { $0 = newValue } }
    }

    /// A part of the values, without a copy of all; runs under the lock.
    final func read<Value>(_ part: (ConfigurationValues) -> Value) -> Value { guarded.withLock { part($0) } }

    private func change(_ body: (inout ConfigurationValues) -> Void) { guarded.withLock { body(&$0) } }
}
#endif
