import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript

/// A request as a caller can change it: a value, or an object.
private protocol EditableRequest {
    var url: URL? { get set }
    var httpMethod: String? { get set }
    var allHTTPHeaderFields: [String: String]? { get set }
    var httpBody: Data? { get set }
    var timeoutInterval: TimeInterval { get set }
    /// Said by each kind of itself: a cast may go over to the other kind, and lose what that does not keep.
    var value: URLRequest { get }

    mutating func setValue(_ value: String?, forHTTPHeaderField field: String)
    mutating func addValue(_ value: String, forHTTPHeaderField field: String)
}

extension URLRequest: EditableRequest {
    fileprivate var value: URLRequest { self }
}

extension NSMutableURLRequest: EditableRequest {
    fileprivate var value: URLRequest { self as URLRequest }
}

extension LaneRequest {
    /// What is left of a request behind `edits:`.
    static func edited(_ request: URLRequest, _ edits: [RequestEdit], _ origins: OriginTable) -> URLRequest? {
        var held: any EditableRequest = request
        for edit in edits {
            switch edit {
            case .add(let fields):
                for field in fields.list {
                    held.addValue(origins.resolved(field.value), forHTTPHeaderField: field.name)
                }
            case .set(let fields):
                for field in fields.list {
                    held.setValue(origins.resolved(field.value), forHTTPHeaderField: field.name)
                }
            case .remove(let names): for name in names { held.setValue(nil, forHTTPHeaderField: name) }
            case .allFields(let fields):
                held.allHTTPHeaderFields = fields.map { fields in
                    let pairs = fields.list.map { ($0.name, origins.resolved($0.value)) }
                    return Dictionary(pairs) { $1 }
                }
            case .method(let name): held.httpMethod = name
            case .url(let target): held.url = origins.absolute(target, host: nil).flatMap { URL(string: $0) }
            case .body(let content): held.httpBody = content.map(data)
            case .timeout(let span): held.timeoutInterval = span / .seconds(1)
            case .form(.object):
                guard let object = (held.value as NSURLRequest).mutableCopy() as? NSMutableURLRequest else {
                    return nil
                }
                held = object
            case .form(.archive):
                guard let again = archived(held.value as NSURLRequest) else { return nil }
                held = again as URLRequest
            }
        }
        return held.value
    }

    /// What an archive of it gives back.
    static func archived<Object: NSObject & NSSecureCoding>(_ object: Object) -> Object? {
        guard let data = try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true) else {
            return nil
        }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
    }
}
