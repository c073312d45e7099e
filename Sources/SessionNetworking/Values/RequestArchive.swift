#if !canImport(Darwin)
import Foundation
import HTTPBasics

/// A request as it stands in an archive; a body stream cannot be archived.
struct RequestArchive: Codable {
    private var url: URL?
    private var mainDocumentURL: URL?
    private var method: String
    private var fields: [ArchivedField]?
    private var body: Data?
    private var explicitTimeout: TimeInterval?
    private var cachePolicy: UInt
    private var networkServiceType: UInt
    private var allowsCellularAccess: Bool
    private var allowsExpensiveNetworkAccess: Bool?
    private var allowsConstrainedNetworkAccess: Bool?
    private var assumesHTTP3Capable: Bool?
    private var allowsPersistentDNS: Bool?
    private var attribution: UInt?
    private var shouldHandleCookies: Bool
    private var shouldUsePipelining: Bool

    init(_ values: RequestValues) {
        url = values.url
        mainDocumentURL = values.mainDocumentURL
        method = values.method
        fields = values.fields?.list.map { ArchivedField(name: $0.name, value: $0.value) }
        body = values.body
        explicitTimeout = values.explicitTimeout
        cachePolicy = values.cachePolicy.rawValue
        networkServiceType = values.networkServiceType.rawValue
        allowsCellularAccess = values.allowsCellularAccess
        allowsExpensiveNetworkAccess = values.allowsExpensiveNetworkAccess
        allowsConstrainedNetworkAccess = values.allowsConstrainedNetworkAccess
        assumesHTTP3Capable = values.assumesHTTP3Capable
        allowsPersistentDNS = values.allowsPersistentDNS
        attribution = values.attribution.rawValue
        shouldHandleCookies = values.shouldHandleCookies
        shouldUsePipelining = values.shouldUsePipelining
    }

    /// Policies that this version does not know become the default ones; what an older archive does not say, too.
    var values: RequestValues {
        var values = RequestValues(url: url)
        values.mainDocumentURL = mainDocumentURL
        values.method = method
        values.fields = fields.map { Fields($0.map { Fields.Field($0.name, $0.value) }) }
        values.body = body
        values.explicitTimeout = explicitTimeout
        values.cachePolicy = NSURLRequest.CachePolicy(rawValue: cachePolicy) ?? .useProtocolCachePolicy
        values.networkServiceType = NSURLRequest.NetworkServiceType(rawValue: networkServiceType) ?? .default
        values.allowsCellularAccess = allowsCellularAccess
        values.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess ?? true
        values.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess ?? true
        values.assumesHTTP3Capable = assumesHTTP3Capable ?? false
        values.allowsPersistentDNS = allowsPersistentDNS ?? false
        values.attribution = attribution.flatMap { NSURLRequest.Attribution(rawValue: $0) } ?? .developer
        values.shouldHandleCookies = shouldHandleCookies
        values.shouldUsePipelining = shouldUsePipelining
        return values
    }
}
#endif
