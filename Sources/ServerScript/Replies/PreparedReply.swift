import HTTPBasics
import NIOCore

/// One reply made ready for one request: the bytes of its head, and which body goes out in which framing.
struct PreparedReply {
    enum BodyFraming: Hashable {
        /// As it is; a length or the end of the connection bounds it.
        case identity
        case chunked(size: Int)
    }

    let status: Int
    let head: ByteBuffer
    let statusLineCount: Int
    /// Plain, and the part of it that this answer carries.
    let body: Content
    let range: Range<Int>
    let framing: BodyFraming
    let trailers: Fields
    let closesAfter: Bool
    let timeline: [SendStep]

    static let defaultChunk = 16 << 10
}

extension PreparedReply {
    /// `mustClose` when the request cannot be followed by another on this connection.
    init(_ reply: Reply, body: Content, to request: RequestHead, date: UnixTime, mustClose: Bool) {
        var draft = Draft(reply, bodyCount: body.count, request: request)
        draft.closes = draft.closes || mustClose
        draft.addFields(date: date)
        let carriesBody = request.method != "HEAD" && !draft.statusHasNoBody
        let line = "HTTP/1.1 \(draft.status) \(draft.reason)\r\n"
        var head = ByteBuffer(string: line)
        for field in draft.fields.list { head.writeString("\(field.name): \(field.value)\r\n") }
        head.writeString("\r\n")
        status = draft.status
        self.head = head
        statusLineCount = line.utf8.count
        self.body = body
        range = carriesBody ? draft.range : 0..<0
        framing = carriesBody ? draft.framing : .identity
        trailers = carriesBody ? reply.trailers : Fields()
        closesAfter = draft.closes
        timeline = reply.timeline
    }
}

/// The decisions about one reply, in the order in which they depend on each other.
private struct Draft {
    let reply: Reply
    var status: Int
    var reason: String
    var fields: Fields
    var range: Range<Int>
    var framing = PreparedReply.BodyFraming.identity
    var closes: Bool

    init(_ reply: Reply, bodyCount: Int, request: RequestHead) {
        self.reply = reply
        fields = reply.fields
        range = 0..<bodyCount
        status = reply.challenge != nil && reply.status == 200 ? 401 : reply.status
        closes = request.wantsClose || reply.framing == .close || reply.fields.listsToken("close", in: "Connection")
        reason = ""
        if reply.isRanged, [200, 206].contains(status) { applyRange(request, size: bodyCount) }
        reason = reply.reason.flatMap { status == reply.status ? $0 : nil } ?? StatusPhrase.registered(status) ?? ""
        chooseFraming(request)
    }

    var statusHasNoBody: Bool { (100..<200).contains(status) || status == 204 || status == 304 }

    private mutating func applyRange(_ request: RequestHead, size: Int) {
        switch RangeReply.decide(request, validators: reply.fields, size: size) {
        case .whole: status = 200
        case .part(let part):
            status = 206
            range = part
            add("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
        case .unsatisfiable:
            status = 416
            range = 0..<0
            add("Content-Range", "bytes */\(size)")
        }
    }

    /// Trailers and chunk steps need chunks; HTTP/1.0 has none (RFC 9112 7), there the end of the connection
    /// has to do.
    private mutating func chooseFraming(_ request: RequestHead) {
        var size: Int?
        if case .chunked(let wanted) = reply.framing { size = max(1, wanted) }
        if size == nil, !reply.trailers.isEmpty || reply.timeline.contains(where: \.needsChunks) {
            size = PreparedReply.defaultChunk
        }
        guard let size else { return }
        if request.minorVersion == 0 { closes = true } else { framing = .chunked(size: size) }
    }

    /// Adds what the script leaves out; what it writes stays as it is, even where it lies.
    mutating func addFields(date: UnixTime) {
        if case .basic(let realm) = reply.challenge {
            let escaped = realm.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            fields.append("WWW-Authenticate", "Basic realm=\"\(escaped)\"")
        }
        add("Date", HTTPDate.text(date))
        if !statusHasNoBody {
            switch framing {
            case .chunked: add("Transfer-Encoding", "chunked")
            case .identity where reply.framing == .length && !fields.contains("Transfer-Encoding"):
                add("Content-Length", "\(range.count)")
            case .identity: break
            }
        }
        if closes { add("Connection", "close") }
    }

    private mutating func add(_ name: String, _ value: String) {
        if !fields.contains(name) { fields.append(name, value) }
    }
}

extension SendStep {
    var needsChunks: Bool {
        switch self {
        case .chunk, .trailers: true
        case .repeat(_, let steps): steps.contains(where: \.needsChunks)
        case .bytes, .rest, .wait, .raw, .split, .stall, .signal, .await: false
        }
    }
}
