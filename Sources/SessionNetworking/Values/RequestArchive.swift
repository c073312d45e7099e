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
        shouldHandleCookies = values.shouldHandleCookies
        shouldUsePipelining = values.shouldUsePipelining
    }

    /// Policies that this version does not know become the default ones.
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
        values.shouldHandleCookies = shouldHandleCookies
        values.shouldUsePipelining = shouldUsePipelining
        return values
    }
}
#endif
