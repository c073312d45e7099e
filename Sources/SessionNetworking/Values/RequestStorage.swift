#if !canImport(Darwin)
import Foundation
import HTTPBasics

/// Everything that a request says.
struct RequestValues {
    static let defaultTimeout: TimeInterval = 60

    var url: URL?
    var mainDocumentURL: URL?
    var method = "GET"
    /// Nil until a field is set; kept in order, so that the head on the wire does not depend on a dictionary's order.
    var fields: Fields?
    var body: Data?
    var bodyStream: InputStream?
    /// Nil until the caller sets a timeout (BEHAVIOUR 1.D1).
    var explicitTimeout: TimeInterval?
    var cachePolicy = NSURLRequest.CachePolicy.useProtocolCachePolicy
    var networkServiceType = NSURLRequest.NetworkServiceType.default
    var allowsCellularAccess = true
    var allowsExpensiveNetworkAccess = true
    var allowsConstrainedNetworkAccess = true
    var assumesHTTP3Capable = false
    var allowsPersistentDNS = false
    var attribution = NSURLRequest.Attribution.developer
    var shouldHandleCookies = true
    var shouldUsePipelining = true
    /// What protocol classes keep with the request; no part of what it says, and never sent.
    var protocolProperties: [String: Any]?

    init(url: URL?) { self.url = url }

    var timeout: TimeInterval { explicitTimeout ?? Self.defaultTimeout }

    /// The fields as a dictionary; nil when none was ever set.
    var fieldDictionary: [String: String]? {
        get {
            guard let fields else { return nil }
            return Dictionary(fields.list.map { ($0.name, $0.value) }) { first, _ in first }
        }
        set {
            guard let newValue else {
                fields = nil
                return
            }
            var fields = Fields()
            for (name, value) in newValue.sorted(by: { $0.key < $1.key }) {
                fields.set(StandardFieldName.inRequest(name), value)
            }
            self.fields = fields
        }
    }

    /// The same as it may be printed.
    var shownFields: [String: String]? {
        fieldDictionary.map { Dictionary($0.map { ($0, Secrets.shown($1, ofField: $0)) }) { first, _ in first } }
    }

    /// BEHAVIOUR 2.F16-value: what could add fields of its own is not taken.
    mutating func setField(_ name: String, _ value: String?) {
        if let value, RequestFields.endsLine(value) { return }
        var fields = self.fields ?? Fields()
        if let value {
            fields.set(StandardFieldName.inRequest(name), value)
        } else {
            fields.remove(name)
        }
        self.fields = fields
    }

    /// BEHAVIOUR 2.F16: joined with a comma to what is there.
    mutating func addField(_ name: String, _ value: String) {
        guard let present = fields?.first(name) else { return setField(name, value) }
        setField(name, present + "," + value)
    }
}

extension RequestValues: Equatable {
    static func == (left: RequestValues, right: RequestValues) -> Bool {
        left.url == right.url && left.mainDocumentURL == right.mainDocumentURL && left.method == right.method
            && left.body == right.body && left.bodyStream == right.bodyStream && left.timeout == right.timeout
            && left.cachePolicy == right.cachePolicy && left.networkServiceType == right.networkServiceType
            && left.allowsCellularAccess == right.allowsCellularAccess
            && left.allowsExpensiveNetworkAccess == right.allowsExpensiveNetworkAccess
            && left.allowsConstrainedNetworkAccess == right.allowsConstrainedNetworkAccess
            && left.assumesHTTP3Capable == right.assumesHTTP3Capable
            && left.allowsPersistentDNS == right.allowsPersistentDNS && left.attribution == right.attribution
            && left.shouldHandleCookies == right.shouldHandleCookies
            && left.shouldUsePipelining == right.shouldUsePipelining
            && (left.fields == right.fields || left.fieldDictionary == right.fieldDictionary)
    }
}

/// The box behind a `URLRequest`: copying a request is one retain.
///
/// Safety of the unchecked conformance: `values` is written only while one single request refers to the box. What a
/// protocol class keeps in it must be safe to use from the threads that the class uses it on.
final class RequestStorage: @unchecked Sendable {
    var values: RequestValues

    init(_ values: RequestValues) { self.values = values }
}
#endif
