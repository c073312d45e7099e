import HTTPBasics
import ServerScript

/// What the server does about a request: an answer, a fault, or an answer that a fault cuts short.
///
/// ```swift
/// "hi"                                                    // 200 with a body
/// .status(404)
/// .ok(.counter(1_000_000)).fin(at: .body(400_000))        // cut in order
/// .ok("slow").delayed(by: .milliseconds(300))
/// .reset()                                                // RST instead of any answer
/// ```
public struct ServerReply: Hashable, Sendable, ExpressibleByStringLiteral {
    private var reply: Reply?
    private var faults: [Fault] = []
    /// What was said of a fault that is not there.
    private(set) var complaint: String?
    private var readBody = ReadBody.all
    private var readRate: Int?
    private var uploads: UploadRule?
    /// What becomes of the script's state.
    var changes: [StateChange] = []
    /// Whether pages of other origins may read it; nil: as the script says.
    var isShared: Bool?

    /// 200 with this text.
    public init(stringLiteral text: String) { self = .ok(.text(text)) }

    private init(reply: Reply?) { self.reply = reply }

    // MARK: - Answers

    /// 200 with a body and its Content-Length.
    public static func ok(_ body: ServerBody = "") -> ServerReply { .status(200, body) }

    /// Any final status with a body.
    public static func status(_ status: Int, _ body: ServerBody = "") -> ServerReply {
        ServerReply(reply: Reply(status: status, body: body.content))
    }

    /// A redirect with this Location.
    public static func redirect(to location: String, status: Int = 302) -> ServerReply {
        ServerReply.status(status).header("Location", location)
    }

    /// 401 with a Basic challenge for this realm (RFC 7617).
    public static func basicChallenge(realm: String) -> ServerReply {
        ServerReply(reply: Reply(status: 401, challenges: [.basic(realm: realm)]))
    }

    /// 401 with a Digest challenge for this realm, with `qop=auth` (RFC 7616).
    ///
    /// - Parameter isStale: The credential was right, its nonce was not.
    public static func digestChallenge(
        realm: String, nonce: String, algorithm: DigestAlgorithm = .md5, isStale: Bool = false
    ) -> ServerReply {
        let digest = ServerDigest(realm: realm, nonce: nonce, algorithm: algorithm.name, isStale: isStale)
        return ServerReply(reply: Reply(status: 401, challenges: [.digest(digest)]))
    }

    /// 401 with the scheme NTLM, or with its message 2.
    ///
    /// - Parameters:
    ///   - nonce: Message 2 with this number; nil: the scheme alone, which lets a client begin.
    ///   - target: The domain that message 2 names.
    public static func ntlmChallenge(nonce: UInt64? = nil, target: String = "OFFICE") -> ServerReply {
        let challenge = nonce.map { ServerNTLM.message(nonce: $0, target: target, hasTime: false) } ?? .offer
        return ServerReply(reply: Reply(status: 401, challenges: [.ntlm(challenge)]))
    }

    /// 401 with the scheme Negotiate, or with a token of it.
    ///
    /// - Parameter token: The server's, such as in answer to the client's last; nil: the scheme alone, which lets a
    ///   client begin. It is sent as Base64.
    public static func negotiateChallenge(token: String? = nil) -> ServerReply {
        ServerReply(reply: Reply(status: 401, challenges: [.negotiate(token)]))
    }

    // MARK: - Answers in detail

    /// Adds a field; fields go out in the order in which they were added, repeated ones too.
    public func header(_ name: String, _ value: String) -> ServerReply {
        changed { $0.fields.append(name, value) }
    }

    /// Sends the body in chunks of this many bytes, 1 to `Int.max`, instead of with a Content-Length; less than 1
    /// counts as 1.
    public func chunked(_ size: Int = 8192) -> ServerReply {
        changed { $0.framing = .chunked(size: max(1, size)) }
    }

    /// Adds a field after the last chunk; makes the answer chunked.
    public func trailer(_ name: String, _ value: String) -> ServerReply {
        changed { reply in
            if case .chunked = reply.framing {} else { reply.framing = .chunked(size: 8192) }
            reply.trailers.append(name, value)
        }
    }

    /// Sends neither length nor chunks: the end of the connection ends the body.
    public func untilClose() -> ServerReply { changed { $0.framing = .close } }

    /// Answers Range and If-Range requests for the body with 206 or 416 (RFC 9110 14).
    public func ranged() -> ServerReply { changed { $0.isRanged = true } }

    /// Sends an informational answer first, such as 103, as often as `times` says.
    public func interim(_ status: Int, times: Int = 1) -> ServerReply {
        changed { $0.interim.append(Interim(status: status, times: times)) }
    }

    /// Sends these bytes where an informational answer could be.
    public func interim(raw bytes: [UInt8]) -> ServerReply {
        changed { $0.interim.append(Interim(status: 100, raw: .bytes(bytes))) }
    }

    /// Waits after the request was read.
    public func delayed(by span: Duration) -> ServerReply {
        changed { reply in
            reply.delay = span
            reply.delaySpread = nil
        }
    }

    /// Sends the body in steps of its own; the head goes out before the first of them.
    public func paced(_ steps: SendMove...) -> ServerReply {
        changed { $0.timeline.append(contentsOf: steps.map(\.step)) }
    }

    /// Sends what comes after the head at this rate, in pieces of a fiftieth of a second or a byte, whichever is more:
    /// at no moment more than the rate allows. Must be positive.
    public func sending(bytesPerSecond rate: Int) -> ServerReply { changed { $0.sendRate = rate } }

    /// Reads the request's body at this rate and holds the client back beyond what the system's buffers take. Must be
    /// positive.
    public func reading(bytesPerSecond rate: Int) -> ServerReply {
        var copy = self
        copy.readRate = rate
        return copy
    }

    /// Answers after this many bytes of the request's body; the rest is never read.
    public func readingOnly(_ count: Int) -> ServerReply {
        var copy = self
        copy.readBody = count > 0 ? .part(bytes: count) : .none
        return copy
    }

    /// Keeps uploads that can be continued, and answers about them by itself (draft-ietf-httpbis-resumable-upload in
    /// the interop versions 3, 5 and 6): 104, offsets, conflicts, cancelling and limits. This reply is for a whole
    /// upload. Needs two routes: one for requests that create uploads, one for `path` with a `*` behind it.
    ///
    /// ```swift
    /// let reply = ServerReply.status(201).keepingUploads(below: "/uploads/", of: .counter(1_000_000))
    /// $0.route("POST", "/files", reply: reply)
    /// $0.route(nil, "/uploads/*", reply: reply)
    /// ```
    ///
    /// - Parameters:
    ///   - path: Where upload resources are made; a `/` is added where it does not end with one.
    ///   - body: What every upload must come to, over however many requests; anything if nil. Another one is a
    ///     violation.
    ///   - maxSize: Most bytes of an upload; more is answered with 413. No limit if nil.
    public func keepingUploads(below path: String, of body: ServerBody? = nil, maxSize: Int? = nil) -> ServerReply {
        var copy = self
        copy.uploads = UploadRule(
            below: path.hasSuffix("/") ? path : path + "/", content: body?.content,
            limits: UploadLimits(maxSize: maxSize.map { max(0, $0) }))
        return copy
    }

    func changed(_ change: (inout Reply) -> Void) -> ServerReply {
        var copy = self
        var reply = copy.reply ?? Reply()
        change(&reply)
        copy.reply = reply
        return copy
    }

    // MARK: - Faults instead of an answer

    /// FIN, and no answer.
    public static func fin(at point: ReplyPoint = .request) -> ServerReply { ServerReply(reply: nil).fin(at: point) }

    /// RST, and no answer.
    public static func reset(at point: ReplyPoint = .request) -> ServerReply {
        ServerReply(reply: nil).reset(at: point)
    }

    /// Silence on an open connection.
    public static func stall(at point: ReplyPoint = .request) -> ServerReply {
        ServerReply(reply: nil).stall(at: point)
    }

    /// Bytes that are no HTTP, then FIN.
    public static func garbage(at point: ReplyPoint = .request) -> ServerReply {
        ServerReply(reply: nil).garbage(at: point)
    }

    /// FIN without the word of TLS that nothing follows, and no answer.
    public static func truncate(at point: ReplyPoint = .request) -> ServerReply {
        ServerReply(reply: nil).truncate(at: point)
    }

    /// Over TLS: this alert, protected, then FIN, and no answer.
    public static func alert(_ alert: ServerAlert, at point: ReplyPoint = .request) -> ServerReply {
        ServerReply(reply: nil).alert(alert, at: point)
    }

    /// Over TLS: a record that no key opens, then FIN, and no answer.
    public static func badRecord(at point: ReplyPoint = .request) -> ServerReply {
        ServerReply(reply: nil).badRecord(at: point)
    }

    // MARK: - Faults within an answer

    /// Ends the connection in order.
    public func fin(at point: ReplyPoint) -> ServerReply { failing(point, .fin) }

    /// Ends the connection with RST: what the client has not read yet may be lost on its way.
    public func reset(at point: ReplyPoint) -> ServerReply { failing(point, .reset) }

    /// Sends nothing more and keeps the connection.
    public func stall(at point: ReplyPoint) -> ServerReply { failing(point, .stall) }

    /// Sends FIN but goes on reading.
    public func halfClose(at point: ReplyPoint) -> ServerReply { failing(point, .halfClose) }

    /// Sends bytes that are no HTTP, then FIN.
    public func garbage(at point: ReplyPoint) -> ServerReply { failing(point, .garbage) }

    /// Pauses, then goes on.
    public func pause(at point: ReplyPoint, for span: Duration) -> ServerReply { failing(point, .delay(span)) }

    /// Lets the fault that was named last happen so many times out of a hundred, and lets the exchange be without it
    /// otherwise. Which requests it hits is drawn from the server's seed (`ScriptedServer.start`), each time the same.
    ///
    /// - Parameter percent: From 0, never, to 100, always.
    public func sometimes(percent: Int) -> ServerReply {
        changingLast("there is no fault that could happen sometimes") { $0.percent = percent }
    }

    /// Lets the fault that was named last strike the TLS of the proxy through which the connection has come, and not
    /// that of the host within it. For what is done to a layer of TLS, such as `closeNotify(at:)` and `badRecord(at:)`;
    /// on a connection that has come through no such proxy it does not strike, and is a violation.
    public func inProxysTLS() -> ServerReply {
        let isOfRecords = faults.last?.effect.kind == .record
        let complaint =
            "only what is done to a layer of TLS can be done to the proxy's, and no such fault is named here"
        return isOfRecords ? changingLast("") { $0.isOfProxy = true } : complaining(complaint)
    }

    private func changingLast(_ complaint: String, _ change: (inout Fault) -> Void) -> ServerReply {
        guard let last = faults.indices.last else { return complaining(complaint) }
        var copy = self
        change(&copy.faults[last])
        return copy
    }

    func complaining(_ complaint: String) -> ServerReply {
        var copy = self
        copy.complaint = self.complaint ?? complaint
        return copy
    }

    func failing(_ point: ReplyPoint, _ effect: Fault.Effect) -> ServerReply {
        var copy = self
        copy.faults.append(Fault(at: point.landmark, do: effect))
        return copy
    }

    // MARK: - To the script

    /// The exchange that this makes of a request.
    func exchange(for request: RequestMatch) -> Exchange {
        let isReached = faults.allSatisfy { !$0.landmark.kind.isBeforeReply || $0.percent < 100 }
        var exchange = Exchange(
            request, reply: reply ?? (isReached ? Reply() : nil), faults: faults, readBody: readBody,
            readRate: readRate, resumable: uploads.map { .kept($0) }, isShared: isShared)
        exchange.changes = changes
        return exchange
    }

    /// The answer alone, as for requests that nothing else matches.
    var answer: Reply {
        var answer = reply ?? Reply()
        answer.faults = faults
        return answer
    }
}
