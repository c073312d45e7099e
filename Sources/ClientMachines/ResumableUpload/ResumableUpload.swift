import HTTPBasics
import NIOCore

/// The interop versions of draft-ietf-httpbis-resumable-upload that servers of this time speak (BEHAVIOUR 1.I6).
package enum ResumableUploadVersion: Int, Hashable, Sendable, CaseIterable {
    case three = 3
    case five = 5
    case six = 6

    /// Says that the request brings the last byte of the body.
    fileprivate var lastPart: (name: String, value: String) {
        self == .three ? ("Upload-Incomplete", "?0") : ("Upload-Complete", "?1")
    }

    /// Whether a server says that it has the whole body.
    fileprivate func isComplete(_ head: ResponseHead) -> Bool {
        head.fields.first(lastPart.name)?.trimmingWhitespace ?? "" == lastPart.value
    }
}

/// What a task needs to know of resumable uploads when it starts.
package enum ResumableUploadPlan: Hashable, Sendable {
    /// Offer the server to continue, should the connection be lost.
    case offer(ResumableUploadVersion)
    /// Go on where an earlier task stopped.
    indirect case goOn(UploadToken)
}

/// What a later task needs to continue an upload: the content of the opaque resume data.
package struct UploadToken: Hashable, Sendable {
    package var method: String
    package var url: URLReference
    package var fields: Fields
    package var version: ResumableUploadVersion
    /// Where the server keeps what it has.
    package var location: URLReference
    /// Size of the whole body, nil when unknown.
    package var length: DeclaredLength?
    /// So much of the body went out: no server can have more.
    package var sent: Int64
    /// The file that is the body, in the only version that goes with what the server has; nil when the delegate has to
    /// give a stream of the rest.
    package var file: BodyFile?
    /// Where the first request of all went; nil for the origin of `url`.
    package var home: Origin?

    /// The file, or a stream that is not there yet.
    package var body: RequestBody { file.map { .file($0) } ?? .stream(.awaited) }

    package init(
        method: String, url: URLReference, fields: Fields, version: ResumableUploadVersion, location: URLReference,
        length: DeclaredLength?, sent: Int64, file: BodyFile?, home: Origin? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.version = version
        self.location = location
        self.length = length
        self.sent = sent
        self.file = file
        self.home = home == url.nominalOrigin ? nil : home
    }
}

/// An upload that may go on after its connection was lost: create, then as often as it takes ask for the offset and
/// append the rest.
///
///     creating --loss--> asking --204--> appending --loss, 409--> asking
final class ResumableUpload {
    enum Phase { case creating, asking, appending }

    /// So many losses in a row may pass without a byte that is new to the server.
    private static let patience = 3

    let version: ResumableUploadVersion
    /// What the caller asked for, with the whole body.
    private(set) var original: ClientRequest
    /// Known once the server has said that it could continue.
    private(set) var location: URLReference?
    private(set) var phase = Phase.creating
    /// So much of the body the server has.
    private(set) var offset: Int64 = 0
    /// The most that it has ever had.
    private var furthest: Int64 = 0
    /// So much of the body went out, over any connection.
    private var sent: Int64 = 0
    /// The file that is the body, and its version once it was opened.
    private var file: BodyFile?
    private var fruitless = 0

    init(_ version: ResumableUploadVersion, _ request: ClientRequest) {
        self.version = version
        original = request
    }

    init(_ token: UploadToken) {
        version = token.version
        original = ClientRequest(method: token.method, url: token.url, fields: token.fields)
        original.body = token.body
        if let length = token.length, token.file == nil { original.fields.set("Content-Length", length.description) }
        location = token.location
        sent = token.sent
        file = token.file
    }

    /// What a later task needs; nil while the server has not said that it could continue.
    func token(home: Origin?) -> UploadToken? {
        guard let location else { return nil }
        return UploadToken(
            method: original.method, url: original.url, fields: original.fields, version: version, location: location,
            length: original.bodyLength, sent: sent, file: file, home: home)
    }

    // MARK: - What is sent

    /// The first request: the caller's own, with the offer.
    var creation: ClientRequest {
        var request = original
        offer(&request)
        return request
    }

    /// Its file is open, and is the whole body.
    func opened(_ body: ComposedBody, of file: BodyFile) {
        original.body = .composed(body)
        self.file = file
    }

    /// An attempt has brought out this much of the body, whether or not it arrived.
    func wentOut(upTo position: Int64) { sent = max(sent, position) }

    /// The creation goes to another place: what the former one keeps is of no use there.
    func begin(anew request: ClientRequest) {
        original = request
        location = nil
    }

    /// Asks how much the server has; nil when it cannot be asked, or has been often enough.
    func question() -> ClientRequest? {
        fruitless += 1
        guard let location, fruitless <= Self.patience else { return nil }
        phase = .asking
        var request = companion("HEAD", to: location)
        request.fields.set("Upload-Draft-Interop-Version", String(version.rawValue))
        return request
    }

    /// Sends what the server lacks.
    func rest() -> ClientRequest? {
        guard let location else { return nil }
        phase = .appending
        var request = companion("PATCH", to: location)
        offer(&request)
        request.fields.set("Upload-Offset", String(offset))
        if version == .six { request.fields.set("Content-Type", "application/partial-upload") }
        switch original.body {
        case .bytes(let bytes):
            let start = bytes.readerIndex + Int(offset)
            request.body = .bytes(bytes.getSlice(at: start, length: bytes.writerIndex - start) ?? ByteBuffer())
        case .file(let file, _): request.body = .file(file, from: offset)
        case .composed(let body): request.body = .composed(body.dropFirst(offset))
        case .stream:
            request.body = .stream(.awaited)
            if let length = original.bodyLength, let offset = DeclaredLength(offset) {
                request.fields.set("Content-Length", length.dropping(offset).description)
            }
        case nil: break
        }
        return request
    }

    private func offer(_ request: inout ClientRequest) {
        request.fields.set("Upload-Draft-Interop-Version", String(version.rawValue))
        request.fields.set(version.lastPart.name, version.lastPart.value)
    }

    /// Another request about the same upload: the caller's fields, but for what describes the body, and for what is
    /// meant for another origin.
    private func companion(_ method: String, to location: URLReference) -> ClientRequest {
        var fields = original.fields
        for name in RedirectDecision.boundToBody + ["Upload-Complete", "Upload-Incomplete"] { fields.remove(name) }
        if location.origin != original.url.origin { fields.leaveTarget() }
        var request = ClientRequest(method: method, url: location, fields: fields)
        request.handlesCookies = original.handlesCookies
        return request
    }

    // MARK: - What is answered

    /// A 104 says where the upload can be continued, if it speaks the same version (draft 05, 4.2).
    func learn(from head: ResponseHead, at url: URLReference) {
        guard phase == .creating, head.status == 104,
            head.fields.first("Upload-Draft-Interop-Version")?.trimmingWhitespace ?? "" == String(version.rawValue),
            let place = head.fields.first("Location")?.trimmingWhitespace, let reference = URLReference(String(place))
        else { return }
        let resolved = reference.resolved(against: url)
        // BEHAVIOUR 1.I6-long
        guard resolved.origin != nil, resolved.string.utf8.count <= RedirectDecision.longestTarget else { return }
        location = resolved
    }

    enum NextStep: Equatable {
        /// Send the rest.
        case append
        /// The server has something else than we thought.
        case ask
        case fail(String)
    }

    /// What a final answer means for the upload; nil where it means what it means for any request.
    func judge(_ head: ResponseHead) -> NextStep? {
        switch (phase, head.status) {
        case (.asking, 200..<300):
            let told = head.fields.first("Upload-Offset").flatMap { DeclaredLength(parsing: $0.trimmingWhitespace) }
            // BEHAVIOUR 1.I6-offset.
            guard let told, told <= original.bodyLength ?? told, let told = told.bounded(by: sent) else {
                return .fail("The server does not say how much of the upload it has.")
            }
            if version.isComplete(head) { return .fail("The upload is complete, but its answer was lost.") }
            if told > furthest { fruitless = 0 }
            (offset, furthest) = (told, max(told, furthest))
            return .append
        case (.asking, 300..<400), (.asking, 401): return nil
        case (.asking, _): return .fail("The server has nothing of the upload any more (status \(head.status)).")
        case (.appending, 409): return .ask
        default: return nil
        }
    }

    /// The upload has its answer: it goes on no more.
    func end() { location = nil }
}
