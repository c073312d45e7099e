#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// A response over HTTP: `URLResponse` with a status code and header fields.
///
/// Immutable; may be used from any thread. Header fields stay in the received bytes until they are asked for.
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    // Safety of the unchecked conformance: as in URLResponse; nothing mutable is added.

    /// The status code, 100 to 599 from the wire; a response made by the caller may hold any number.
    public let statusCode: Int

    /// A response with facts that the caller knows. Never nil on Linux.
    ///
    /// - Parameters:
    ///   - url: Where it came from.
    ///   - statusCode: Any number; it is not checked.
    ///   - httpVersion: Such as `HTTP/1.1`, which is also meant by nil.
    ///   - headerFields: Names that differ in case only are merged. `expectedContentLength` comes from
    ///     Content-Length, also beside a Content-Encoding, and is -1 when that is missing or not a number.
    public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {
        self.statusCode = statusCode
        let sorted = (headerFields ?? [:]).sorted { $0.key < $1.key }
        let fields = Fields(sorted.map { Fields.Field($0.key, $0.value) })
        let head = ResponseHead(
            minorVersion: httpVersion == "HTTP/1.0" ? 0 : 1, status: statusCode, fields: FieldBlock(fields))
        // BEHAVIOUR 2.F26
        let length = fields.first("Content-Length").flatMap { DeclaredLength(parsing: $0.trimmingWhitespace) }
        super.init(.built(url, head, expectedLength: length.transferSize))
    }

    /// What the machines received; costs one allocation.
    package init(_ response: Response, to request: URLRequest? = nil) {
        statusCode = response.head.status
        super.init(.received(response, asked: request?.url))
    }

    /// Reads a response that `encode(with:)` wrote; nil when the archive holds none, or a damaged one.
    public required init?(coder aDecoder: NSCoder) {
        guard let head = ArchivedState<ResponseArchive>.decode(from: aDecoder, key: "response")?.source.head else {
            return nil
        }
        statusCode = head.status
        super.init(coder: aDecoder)
    }

    /// Writes the response into a keyed archive. Another kind of coder gets nothing.
    open override func encode(with aCoder: NSCoder) { super.encode(with: aCoder) }

    /// All header fields. Names are in canonical case (`Content-Type`, `Etag`; `X-…` as received), the values of
    /// equal names are joined with ", ".
    ///
    /// The dictionary is case-sensitive; `value(forHTTPHeaderField:)` is not, and costs less.
    public var allHeaderFields: [AnyHashable: Any] { fieldDictionary }

    /// The value of a header field, of several equal names joined with ", "; nil when there is none. The name's case
    /// does not matter.
    public func value(forHTTPHeaderField field: String) -> String? { source.head?.fields.joined(field) }

    /// The object's identity, URL, status and header fields, sorted by name. Of a field whose name says that it is a
    /// secret, such as `Set-Cookie`, only that it is there (BEHAVIOUR 2.F22-shown). (Apple prints it.)
    open override var description: String {
        let fields = shownFields.map { "    \($0): \($1)" }.sorted().joined(separator: "\n")
        let url = knownURL?.description ?? "nil"
        return "\(super.description) { URL: \(url) } { Status: \(statusCode), Headers {\n\(fields)\n} }"
    }

    override var reflected: [(label: String?, value: Any)] {
        super.reflected + [("statusCode", statusCode), ("allHeaderFields", shownFields)]
    }

    private var shownFields: [String: String] {
        let fields = fieldDictionary.compactMap { name, value in (name as? String).map { ($0, "\(value)") } }
        return Dictionary(fields.map { ($0, Secrets.shown($1, ofField: $0)) }) { first, _ in first }
    }

    /// The registered reason phrase for a status code in English, else the name of its class.
    open class func localizedString(forStatusCode statusCode: Int) -> String {
        if let phrase = StatusPhrase.registered(statusCode) { return phrase }
        switch statusCode {
        case 100..<200: return "Informational"
        case 200..<300: return "Success"
        case 300..<400: return "Redirection"
        case 400..<500: return "Client Error"
        default: return "Server Error"
        }
    }
}
#endif
