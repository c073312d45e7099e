#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import TLSBasics

/// Everything that a configuration says.
///
/// Safety of the unchecked conformance: `additionalHeaders` and `proxies` are values that are replaced as a whole and
/// only read; classes never change.
struct ConfigurationValues: @unchecked Sendable {
    static let usualRequestTimeout: TimeInterval = 60
    static let usualResourceTimeout: TimeInterval = 604_800

    var requestTimeout = usualRequestTimeout
    var resourceTimeout = usualResourceTimeout
    var cachePolicy = NSURLRequest.CachePolicy.useProtocolCachePolicy
    var additionalHeaders: [AnyHashable: Any]?
    var connectionsPerHost = 6
    var protocolClasses: [AnyClass] = []
    var resumableUploadVersion: URLSessionConfiguration.ResumableUploadVersion?
    var maximumBodyBytesInMemory: Int64 = 2 << 30
    var tlsMinimum = tls_protocol_version_t.TLSv12
    var tlsMaximum = tls_protocol_version_t.TLSv13
    var credentialStorage: URLCredentialStorage?
    var proxies: [AnyHashable: Any]?
    var cookieStorage: HTTPCookieStorage?
    var cookiePolicy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    var setsCookies = true
    var cache: URLCache?
    var networkServiceType = NSURLRequest.NetworkServiceType.default
    var multipathServiceType = URLSessionConfiguration.MultipathServiceType.none
    var demands = PathDemands.none
    /// What has no effect.
    var isDiscretionary = false
    var sendsLaunchEvents = true
    var usesExtendedIdleMode = false
    var sharedContainerIdentifier: String?
    var usesPipelining = false
    var usesClassicLoadingMode = true
    var enablesEarlyData = false
    var network: (any SessionNetwork)?

    /// The shared storages have files, which are read when somebody asks for them: not where others take their place.
    init(
        _ credentialStorage: URLCredentialStorage = .shared, _ cookieStorage: HTTPCookieStorage = .shared,
        _ cache: URLCache = .shared
    ) {
        self.cache = cache
        self.credentialStorage = credentialStorage
        self.cookieStorage = cookieStorage
    }

    /// Without a version in common nothing can be secured: the maximum alone is offered then, as the stricter wish.
    var tlsVersions: ClosedRange<TLSVersion> {
        let most = TLSVersion(rawValue: tlsMaximum.rawValue) ?? .tls13
        return min(TLSVersion(rawValue: tlsMinimum.rawValue) ?? .tls12, most)...most
    }

    /// `additionalHeaders` as fields, sorted by name because a dictionary has no order of its own.
    var additionalFields: Fields {
        var fields = Fields()
        let named = (additionalHeaders ?? [:]).compactMap { key, value in
            (key.base as? String).map { ($0, value as? String ?? String(describing: value)) }
        }
        for (name, value) in named.sorted(by: { $0.0 < $1.0 }) where RequestFields.canBeSent(name, value) {
            fields.set(name, value)
        }
        return fields
    }
}

extension URLSessionConfiguration {
    /// What the session's machines need to know.
    ///
    /// - Parameters:
    ///   - environment: Gives variables of the process, which count where there is no dictionary of proxies.
    ///   - codings: What is undone besides gzip and deflate.
    package final func clientSettings(
        environment: (String) -> String? = { _ in nil }, codings: KnownCodings = []
    ) -> ClientSettings {
        let values = self.values
        var settings = ClientSettings()
        settings.additionalFields = values.additionalFields
        settings.defaultFields = DefaultFields.ofThisProcess(codings)
        settings.codings = codings
        settings.connectionsPerHost = max(1, values.connectionsPerHost)
        settings.tlsVersions = values.tlsVersions
        settings.keepsCredentials = values.credentialStorage != nil
        let proxies = values.proxies.map { ProxyDictionary($0).settings } ?? ProxyEnvironment.settings(environment)
        settings.proxies = proxies.areNone ? nil : proxies
        settings.cookies.sends = values.cookieStorage != nil && values.setsCookies
        settings.cookies.stores = values.cookieStorage != nil && values.cookiePolicy != .never
        settings.hasCache = values.cache != nil
        settings.usesMultipath = values.multipathServiceType != .none
        settings.downloadDirectory = DefaultFields.temporaryDirectory
        if values.maximumBodyBytesInMemory > 0 { settings.collectedBytes = values.maximumBodyBytesInMemory }
        return settings
    }

    /// How long a task with this request may be silent, and how long it may live (BEHAVIOUR 1.D1).
    package final func timeouts(for request: URLRequest?) -> (request: Duration, resource: Duration) {
        let (usual, longest) = read { ($0.requestTimeout, $0.resourceTimeout) }
        let silence =
            Self.span(request?.explicitTimeout) ?? Self.span(usual) ?? ConfigurationValues.usualRequestTimeout
        let life = Self.span(longest) ?? ConfigurationValues.usualResourceTimeout
        return (.seconds(clamping: silence), .seconds(clamping: life))
    }

    /// With what the packets of a task with this request are marked: by its own type, if it has none by the session's
    /// (BEHAVIOUR 1.A2-service, 1.A2-mark).
    package final func codePoint(for request: URLRequest?) -> UInt8 {
        let own = request?.networkServiceType ?? .default
        return (own == .default ? read(\.networkServiceType) : own).codePoint
    }

    /// A request's own policy, if it has none the session's (BEHAVIOUR 2.D2-own).
    package final func cacheRule(for request: URLRequest?) -> CacheRule {
        var policy = request?.cachePolicy ?? .useProtocolCachePolicy
        if policy == .useProtocolCachePolicy { policy = read(\.cachePolicy) }
        return switch policy {
        case .useProtocolCachePolicy: .useProtocol
        case .reloadIgnoringLocalCacheData: .reloadIgnoringLocal
        case .returnCacheDataElseLoad: .returnElseLoad
        case .returnCacheDataDontLoad: .returnDontLoad
        case .reloadIgnoringLocalAndRemoteCacheData: .reloadIgnoringLocalAndRemote
        case .reloadRevalidatingCacheData: .reloadRevalidating
        }
    }

    /// Zero, less, and what is no number count as not set (BEHAVIOUR 1.D1-zero).
    private static func span(_ seconds: TimeInterval?) -> TimeInterval? {
        guard let seconds, seconds > 0 else { return nil }
        return seconds
    }
}
#endif
