import HTTPBasics

/// What a request wants of a server that keeps uploads (draft-ietf-httpbis-resumable-upload).
enum UploadRequest: Hashable {
    /// A new upload; `length` is the size of all of it, where the request says that.
    case create(isLast: Bool, length: Int?)
    case append(offset: Int, isLast: Bool)
    /// How much has come?
    case ask
    case cancel
    /// What may be uploaded?
    case limits
    /// Something that an upload resource cannot do.
    case unknown

    private static let withoutContent: Set = ["GET", "HEAD", "DELETE", "TRACE", "CONNECT"]

    /// Nil for a request like any other. `version` is the one that it speaks, and `isResource` whether it goes to an
    /// upload resource.
    static func parse(
        _ head: ReceivedHead, _ version: UploadVersion?, isResource: Bool
    ) throws(Malformed) -> UploadRequest? {
        if head.method == "OPTIONS" { return .limits }
        guard isResource else {
            guard let version, !withoutContent.contains(head.method) else { return nil }
            return try creation(head, version)
        }
        guard let version else { throw Malformed("no \(UploadVersion.fieldName) that says 3, 5 or 6") }
        switch head.method {
        case "HEAD", "DELETE":
            for name in ["Upload-Offset", version.flagName, "Upload-Length"] where head.fields.contains(name) {
                throw Malformed("\(name) in a \(head.method) request")
            }
            return head.method == "HEAD" ? .ask : .cancel
        case "PATCH": return try append(head, version)
        default: return .unknown
        }
    }

    private static func creation(_ head: ReceivedHead, _ version: UploadVersion) throws(Malformed) -> UploadRequest {
        if head.fields.contains("Upload-Offset") {
            throw Malformed("Upload-Offset in a request that creates an upload")
        }
        guard let isLast = try version.isLast(head.fields) else { throw Malformed("no \(version.flagName)") }
        guard version == .six else { return .create(isLast: isLast, length: nil) }
        let told = try number("Upload-Length", head.fields)
        let counted = isLast ? head.framing.count : nil
        if let told, let counted, told != counted { throw Malformed("Upload-Length and Content-Length differ") }
        return .create(isLast: isLast, length: told ?? counted)
    }

    private static func append(_ head: ReceivedHead, _ version: UploadVersion) throws(Malformed) -> UploadRequest {
        guard let offset = try number("Upload-Offset", head.fields) else { throw Malformed("no Upload-Offset") }
        if version == .six, head.fields.values("Content-Type") != ["application/partial-upload"] {
            throw Malformed("Content-Type is not application/partial-upload")
        }
        // Revision 01, 5: what says nothing brings the last byte. Since then only what says so.
        return .append(offset: offset, isLast: try version.isLast(head.fields) ?? (version == .three))
    }

    /// An Integer of RFC 8941 3.3.1 that counts bytes.
    private static func number(_ name: String, _ fields: Fields) throws(Malformed) -> Int? {
        let values = fields.values(name)
        guard let value = values.first else { return nil }
        guard values.count == 1, value.utf8.count <= 15, let number = RequestRules.decimal(value) else {
            throw Malformed("\(name) is not a number of bytes")
        }
        return number
    }
}

extension ReceivedHead.Framing {
    /// Bytes of the body, where the head says how many.
    var count: Int? {
        switch self {
        case .none: 0
        case .length(let count): count
        case .chunked: nil
        }
    }
}
