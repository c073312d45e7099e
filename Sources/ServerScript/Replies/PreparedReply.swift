import HTTPBasics
import NIOCore

/// One reply made ready for one occasion: the bytes of its head, and which body goes out in which framing.
final class PreparedReply {
    enum Framing: Hashable {
        /// As it is; a length or the end of the connection bounds it.
        case identity
        case chunked(size: Int)
    }

    /// All that a reply depends on besides the script.
    struct Occasion: Equatable {
        let isHead: Bool
        let minorVersion: Int
        let closes: Bool
        /// What follows a 2xx is no HTTP of this answer's (RFC 9110 9.3.6).
        let isForTunnel: Bool
        let date: UnixTime
        /// Nil when the reply knows no ranges.
        let range: RangeReply?
        /// It was written for a GET.
        var isOfGET = false
        /// Of a request by a page of another origin, if the answer is shared with those.
        var origin: CrossOrigin?

        /// `mustClose` when the request cannot be followed by another on this connection; `size` is that of the body.
        init(_ request: ReceivedHead, date: UnixTime, mustClose: Bool, _ reply: Reply, size: Int) {
            isHead = request.method == "HEAD"
            minorVersion = request.minorVersion
            closes = mustClose || request.wantsClose
            isForTunnel = request.method == "CONNECT" && request.named != nil
            self.date = date
            range = reply.hasRanges ? RangeReply.decide(request, validators: reply.fields, size: size) : nil
        }
    }

    static let defaultChunk = 16 << 10
    private static let mostWhole = 2048

    let occasion: Occasion
    let status: Int
    let head: ByteBuffer
    /// Head and body as one piece, made once for all such answers: when both are small and the script does not say how
    /// they leave.
    let whole: ByteBuffer?
    let statusLineCount: Int
    let body: BodySource
    /// The part of the body that this answer carries.
    let range: Range<Int>
    let framing: Framing
    let trailers: Fields
    let closesAfter: Bool
    let timeline: [SendStep]

    init(_ reply: Reply, body: BodySource, on occasion: Occasion) {
        var draft = Draft(reply, bodyCount: body.count, occasion)
        draft.addFields(of: reply, date: occasion.date)
        occasion.origin?.share(&draft.fields)
        let carriesBody = !occasion.isHead && !draft.statusHasNoBody
        var bytes = ByteBuffer()
        bytes.reserveCapacity(512)
        bytes.writeString("HTTP/1.1 \(draft.status) \(draft.reason)\r\n")
        statusLineCount = bytes.readableBytes
        bytes.writeLines(of: draft.fields)
        bytes.writeString("\r\n")
        let headCount = bytes.readableBytes
        range = carriesBody ? draft.range : 0..<0
        framing = carriesBody ? draft.framing : .identity
        let isPlain = framing == .identity && reply.timeline.isEmpty && reply.sendRate == nil
        let isSmall = isPlain && (1...PreparedReply.mostWhole).contains(range.count)
        if isSmall { body.append(from: range.lowerBound, count: range.count, to: &bytes) }
        whole = isSmall ? bytes : nil
        head = bytes.getSlice(at: bytes.readerIndex, length: headCount) ?? bytes
        self.occasion = occasion
        status = draft.status
        self.body = body
        trailers = carriesBody ? reply.trailers : Fields()
        closesAfter = draft.closes
        timeline = occasion.isHead && occasion.isOfGET ? [] : reply.timeline
    }

    /// Where in the head a landmark lies; both kinds count from the first byte of the status line.
    func headPosition(of landmark: Fault.Landmark) -> Int? {
        switch landmark {
        case .statusLine(let count) where count <= statusLineCount: count
        case .head(let count) where count <= head.readableBytes: count
        default: nil
        }
    }
}

extension Reply {
    /// A challenge makes the plain 200 a 401.
    fileprivate var plainStatus: Int { !challenges.isEmpty && status == 200 ? 401 : status }

    fileprivate var hasRanges: Bool { isRanged && (plainStatus == 200 || plainStatus == 206) }
}

/// The decisions about one reply, in the order in which they depend on each other.
private struct Draft {
    var status: Int
    var reason: String
    var fields: Fields
    var range: Range<Int>
    var framing = PreparedReply.Framing.identity
    var closes: Bool
    let opensTunnel: Bool

    init(_ reply: Reply, bodyCount: Int, _ occasion: PreparedReply.Occasion) {
        fields = reply.fields
        fields.reserve(4)
        range = 0..<bodyCount
        status = reply.plainStatus
        opensTunnel = occasion.isForTunnel && (200..<300).contains(status)
        let mustClose = occasion.closes && !opensTunnel
        closes = mustClose || reply.framing == .close || reply.fields.listsToken("close", in: "Connection")
        reason = ""
        if let range = occasion.range { apply(range, size: bodyCount) }
        reason = reply.reason.flatMap { status == reply.status ? $0 : nil } ?? StatusPhrase.registered(status) ?? ""
        chooseFraming(of: reply, minorVersion: occasion.minorVersion)
    }

    var statusHasNoBody: Bool { (100..<200).contains(status) || status == 204 || status == 304 }

    private mutating func apply(_ decision: RangeReply, size: Int) {
        switch decision {
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
    private mutating func chooseFraming(of reply: Reply, minorVersion: Int) {
        var size: Int?
        if case .chunked(let wanted) = reply.framing { size = max(1, wanted) }
        if size == nil, !reply.trailers.isEmpty || reply.timeline.contains(where: \.needsChunks) {
            size = PreparedReply.defaultChunk
        }
        guard let size else { return }
        if minorVersion == 0 { closes = true } else { framing = .chunked(size: size) }
    }

    /// Adds what the script leaves out; what it writes stays as it is, even where it lies.
    mutating func addFields(of reply: Reply, date: UnixTime) {
        let asks = status == 407 ? "Proxy-Authenticate" : "WWW-Authenticate"
        for challenge in reply.challenges { fields.append(asks, challenge.text) }
        add("Date", HTTPDate.text(date))
        if !statusHasNoBody {
            switch framing {
            case .chunked: add("Transfer-Encoding", "chunked")
            case .identity where opensTunnel && range.isEmpty: break
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
