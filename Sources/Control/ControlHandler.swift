import NIOCore
import NIOHTTP1

/// One connection of the control interface: whole requests in, whole answers out, one after another.
final class ControlHandler: ChannelInboundHandler, @unchecked Sendable {  // Safety: touched on its loop only.
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// For who still sends when it has been refused: what is not read would take the answer away (RFC 9112 9.6).
    private static let linger = TimeAmount.seconds(2)

    private let router: ControlRouter
    private let patience: ControlPatience
    private let mostBodyBytes: Int
    /// The request that is being read, and what has come of its body.
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    /// The answer that is being made.
    private var work: Task<Void, Never>?
    /// An answer is on its way to the kernel.
    private var isWriting = false
    /// What comes is not looked at any more: the connection ends with its present answer.
    private var isLast: Bool {
        get { patience.isDeaf }
        set { patience.isDeaf = newValue }
    }

    init(_ router: ControlRouter, _ patience: ControlPatience, mostBodyBytes: Int) {
        self.router = router
        self.patience = patience
        self.mostBodyBytes = mostBodyBytes
        // Whoever has gone away altogether says no more than this. A wait ends; all else is answered as ever.
        patience.onClientFinished = { [weak self] in self?.work?.cancel() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isLast else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(var bytes):
            guard body.readableBytes + bytes.readableBytes <= mostBodyBytes else { return refuse(tooLarge, context) }
            body.writeBuffer(&bytes)
        case .end:
            guard let head else { return }
            answer(head, context)
        }
    }

    private var tooLarge: Problem { Problem(413, "Too large", "a body has at most \(mostBodyBytes) bytes") }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        self.head = head
        body.clear()
        let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        guard length <= mostBodyBytes else { return refuse(tooLarge, context) }
        // RFC 9110 10.1.1: HTTP/1.0 has no such thing.
        let expected = head.headers[canonicalForm: "Expect"]
        if head.version != .http1_0, expected.contains(where: { $0.lowercased() == "100-continue" }) {
            let interim = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
        }
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        self.head = nil
        // Behind an offer to speak something else the parser reads no HTTP (RFC 9110 7.8, 9.3.6).
        if !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "Upgrade") { isLast = true }
        let isHead = head.method == .HEAD
        let promise = context.eventLoop.makePromise(of: ControlAnswer.self)
        let place = NIOLoopBound(context, eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess { [self] answer in
            work = nil
            write(answer, isHead: isHead, place.value)
        }
        do {
            let request = try request(head)
            work = promise.completeWithTask { [router] in await router.answer(request) }
            if patience.hasClientFinished { work?.cancel() }
        } catch {
            let problem = error as? Problem ?? Problem.bad("\(error)")
            promise.succeed(problem.answer)
        }
    }

    private func request(_ head: HTTPRequestHead) throws -> ControlRequest {
        // A page in a browser could reach us without its user's knowing; it always says where it is from.
        guard !head.headers.contains(name: "Origin") else {
            throw Problem(403, "Not for web pages", "a request with an Origin comes from a browser")
        }
        let hosts = head.headers["Host"]
        guard hosts.count == 1 || hosts.isEmpty && head.version == .http1_0 else {
            throw Problem.bad("a request has one field Host, not \(hosts.isEmpty ? "none" : "\(hosts.count)")")
        }
        // The name in a whole URL counts in its place (RFC 9112 3.2.2).
        guard ControlHandler.isOwn(ControlRequest.authority(of: head.uri).map(String.init) ?? hosts.first) else {
            throw Problem(403, "Not for web pages", "the Host is neither an address nor localhost")
        }
        let method = head.method == .HEAD ? "GET" : head.method.rawValue
        // Their order is that in which they were read: what is begun with them may end in any.
        let ticket = method == "PUT" ? router.server.loadTicket() : nil
        return try ControlRequest(
            method: method, target: head.uri, body: Array(body.readableBytesView), ticket: ticket)
    }

    /// A page whose name has been given our address says that name, and need not say where it is from.
    static func isOwn(_ host: String?) -> Bool {
        guard let host, !host.hasPrefix("[") else { return true }
        let name = host.prefix { $0 != ":" }
        return name.lowercased() == "localhost" || !name.isEmpty && name.utf8.allSatisfy { 46...57 ~= $0 && $0 != 47 }
    }

    /// Before the whole request is there, or of what is none.
    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        let isHead = head?.method == .HEAD
        head = nil
        isLast = true
        write(problem.answer, isHead: isHead, context)
    }

    private func write(_ answer: ControlAnswer, isHead: Bool, _ context: ChannelHandlerContext) {
        var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status))
        if answer.status != 204 {
            head.headers.add(name: "Content-Type", value: answer.type)
            head.headers.add(name: "Content-Length", value: String(answer.body.count))
        }
        if let allowed = answer.allowed { head.headers.add(name: "Allow", value: allowed) }
        head.headers.add(name: "Cache-Control", value: "no-store")
        if isLast { head.headers.add(name: "Connection", value: "close") }
        let hasBody = !isHead && !answer.body.isEmpty
        // The next request comes with the end of this answer: not before the client has taken it.
        isWriting = true
        let sent = context.eventLoop.makePromise(of: Void.self)
        let place = NIOLoopBound(context, eventLoop: context.eventLoop)
        sent.futureResult.whenComplete { [self] _ in finish(place.value) }
        context.write(wrapOutboundOut(.head(head)), promise: hasBody ? nil : sent)
        if hasBody { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: sent) }
        context.flush()
    }

    private func finish(_ context: ChannelHandlerContext) {
        isWriting = false
        // With this comes the next request, and the end of the client's side behind the last one.
        let isLast = isLast
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        guard isLast else { return }
        context.close(mode: .output, promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: ControlHandler.linger) { channel.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is IdleStateHandler.IdleStateEvent: context.close(promise: nil)
        case ChannelEvent.inputClosed:
            if work == nil, !isWriting { context.close(promise: nil) } else { isLast = true }
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        work?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What comes behind a mistake is not read as HTTP any more.
        if isLast, error is HTTPParserError || error is ByteToMessageDecoderError { return }
        guard let mistake = error as? HTTPParserError else { return context.close(promise: nil) }
        refuse(ControlHandler.problem(mistake), context)
    }

    private static func problem(_ mistake: HTTPParserError) -> Problem {
        switch mistake {
        case .invalidMethod: Problem(501, "Unknown method", "it is no method of HTTP that this server knows")
        case .headerOverflow: Problem(431, "Too large", "a head has at most 64 KiB, and 256 fields")
        default: .bad("this is no request of HTTP/1.1 that can be read with certainty")
        }
    }
}
