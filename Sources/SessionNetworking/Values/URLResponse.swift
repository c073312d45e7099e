#if !canImport(Darwin)
import Foundation
import HTTPBasics
import Locks

/// What came back for a URL: the facts about a body, without the body.
///
/// Immutable; may be used from any thread. What has to be worked out (URL, type, file name, …) is worked out when
/// it is first asked for.
open class URLResponse: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    // Safety of the unchecked conformance: `source` never changes, `derived` has its own lock.
    final let source: ResponseSource
    private final let derived = Lock(DerivedFacts())

    /// True: archives of responses can be read back safely.
    public static var supportsSecureCoding: Bool { true }

    /// A response with facts that the caller knows.
    ///
    /// - Parameters:
    ///   - url: Where it came from.
    ///   - mimeType: The media type without parameters, such as `text/html`.
    ///   - length: How many bytes the body will have, -1 when that is unknown.
    ///   - name: The name of the text's encoding as the server gave it, such as `utf-8`.
    public init(url: URL, mimeType: String?, expectedContentLength length: Int, textEncodingName name: String?) {
        source = .described(
            DescribedResponse(url: url, mimeType: mimeType, textEncodingName: name, expectedLength: Int64(length)))
        super.init()
    }

    init(_ source: ResponseSource) {
        self.source = source
        super.init()
    }

    /// Reads a response that `encode(with:)` wrote; nil when the archive holds none, or a damaged one.
    public required init?(coder aDecoder: NSCoder) {
        guard let archive = ArchivedState<ResponseArchive>.decode(from: aDecoder, key: "response") else { return nil }
        source = archive.source
        super.init()
    }

    /// Writes the response into a keyed archive. Another kind of coder gets nothing.
    open func encode(with aCoder: NSCoder) {
        ArchivedState.encode(ResponseArchive(source, url: knownURL), into: aCoder, key: "response")
    }

    /// This object itself: it cannot change.
    open override func copy() -> Any { copy(with: nil) }

    /// This object itself: it cannot change. `zone` is ignored.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Where the body comes from: after redirects the last URL.
    open var url: URL? { knownURL }

    /// The media type in lower case without parameters, such as `text/html`; nil when the server named none.
    ///
    /// Never guessed. (Apple may guess one from the first bytes of the body.)
    open var mimeType: String? { knownMimeType }

    /// How many bytes the task will deliver: -1 when the server did not say, or when the body is decoded on the way.
    ///
    /// A hint; no transfer is judged by it.
    open var expectedContentLength: Int64 { source.expectedLength }

    /// The name of the text's encoding as the server gave it, in lower case, such as `utf-8`; nil when it named none.
    open var textEncodingName: String? { knownTextEncodingName }

    /// A name under which the body may be saved; never empty, and never with a directory.
    ///
    /// From Content-Disposition, else the URL's last component, else `Unknown`. A name without an extension gets the
    /// usual one of its media type. (FoundationNetworking says `Unknown` for every HTTP response without a
    /// Content-Disposition.)
    open var suggestedFilename: String? {
        if let name = derived.withLock({ $0.filename }) { return name }
        let disposition = source.head?.fields.first("Content-Disposition")
        let name = SuggestedFilename.choose(disposition: disposition, url: knownURL, mimeType: knownMimeType)
        derived.withLock { $0.filename = name }
        return name
    }

    /// What a dump shows.
    var reflected: [(label: String?, value: Any)] {
        [
            ("url", knownURL as Any), ("mimeType", knownMimeType as Any),
            ("expectedContentLength", source.expectedLength),
        ]
    }

    /// Whether the other object is a response that says the same; for HTTP also with the same status and fields.
    open override func isEqual(_ value: Any?) -> Bool {
        guard let other = value as? URLResponse else { return false }
        if self === other { return true }
        return knownURL == other.knownURL && source.expectedLength == other.source.expectedLength
            && source.head == other.source.head && knownMimeType == other.knownMimeType
            && knownTextEncodingName == other.knownTextEncodingName
    }

    /// Equal for equal responses.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(knownURL)
        hasher.combine(source.expectedLength)
        hasher.combine(source.head?.status)
        return hasher.finalize()
    }
}

extension URLResponse: CustomReflectable {
    /// What `description` says, and no secret either.
    public var customMirror: Mirror { Mirror(self, children: reflected, ancestorRepresentation: .suppressed) }
}

// Behind the open properties, so that a subclass cannot change what the library itself sees.
extension URLResponse {
    var knownURL: URL? {
        switch source {
        case .described(let facts): return facts.url
        case .built(let url, _, _): return url
        case .received(let response, let asked):
            return derived.withLock { facts in
                if facts.url == nil {
                    let text = response.url.string
                    facts.url = asked?.relativeString == text ? asked : URL(string: text)
                }
                return facts.url
            }
        }
    }

    var knownMimeType: String? {
        if case .described(let facts) = source { return facts.mimeType }
        return mediaType?.essence
    }

    var knownTextEncodingName: String? {
        if case .described(let facts) = source { return facts.textEncodingName }
        return mediaType?.charset?.lowercased()
    }

    /// The merged fields under their canonical names (BEHAVIOUR 2.F21, 2.F22).
    var fieldDictionary: [AnyHashable: Any] {
        derived.withLock { facts in
            if let fields = facts.fields { return fields }
            var merged: [AnyHashable: Any] = [:]
            for field in source.head?.fields.fields.list ?? [] {
                let name = StandardFieldName.inResponse(field.name)
                if let present = merged[name] as? String {
                    merged[name] = present + ", " + field.value
                } else {
                    merged[name] = field.value
                }
            }
            let fields = FieldDictionary(fields: merged)
            facts.fields = fields
            return fields
        }.fields
    }

    private var mediaType: MediaType? {
        derived.withLock { facts in
            if !facts.isMediaTypeKnown {
                facts.mediaType = source.head?.fields.first("Content-Type").flatMap { MediaType(parsing: $0) }
                facts.isMediaTypeKnown = true
            }
            return facts.mediaType
        }
    }
}

/// What was worked out so far.
private struct DerivedFacts: Sendable {
    var url: URL?
    var isMediaTypeKnown = false
    var mediaType: MediaType?
    var filename: String?
    var fields: FieldDictionary?
}

/// Safety of the unchecked conformance: holds strings only, and is never changed once made.
private struct FieldDictionary: @unchecked Sendable {
    let fields: [AnyHashable: Any]
}
#endif
