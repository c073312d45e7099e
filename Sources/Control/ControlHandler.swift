import NIOCore
import NIOHTTP1

/// One connection of the control interface: whole requests in, whole answers out, one after another.
final class ControlHandler: ChannelInboundHandler, @unchecked Sendable {  // Safety: touched on its loop only.
    typealias InboundIn = NIOHTTPServerRequestFull
    typealias OutboundOut = HTTPServerResponsePart

    private let router: ControlRouter

    init(_ router: ControlRouter) { self.router = router }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let message = unwrapInboundIn(data)
        let keepsAlive = message.head.isKeepAlive
        let isHead = message.head.method == .HEAD
        let promise = context.eventLoop.makePromise(of: ControlAnswer.self)
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess { [self] answer in
            write(answer, isHead: isHead, keepsAlive: keepsAlive, context.value)
        }
        do {
            let request = try ControlHandler.request(message)
            promise.completeWithTask { [router] in await router.answer(request) }
        } catch {
            let problem = error as? Problem ?? Problem.bad("\(error)")
            promise.succeed(problem.answer)
        }
    }

    private static func request(_ message: NIOHTTPServerRequestFull) throws -> ControlRequest {
        // A page in a browser could reach us without its user's knowing; it always says where it is from.
        guard !message.head.headers.contains(name: "Origin") else {
            throw Problem(403, "Not for web pages", "a request with an Origin comes from a browser")
        }
        guard isOwn(message.head.headers.first(name: "Host")) else {
            throw Problem(403, "Not for web pages", "the Host is neither an address nor localhost")
        }
        let method = message.head.method == .HEAD ? "GET" : message.head.method.rawValue
        return try ControlRequest(
            method: method, target: message.head.uri, body: message.body.map { Array($0.readableBytesView) } ?? [])
    }

    /// A page whose name has been given our address says that name, and need not say where it is from.
    static func isOwn(_ host: String?) -> Bool {
        guard let host, !host.hasPrefix("[") else { return true }
        let name = host.prefix { $0 != ":" }
        return name.lowercased() == "localhost" || !name.isEmpty && name.utf8.allSatisfy { 46...57 ~= $0 && $0 != 47 }
    }

    private func write(_ answer: ControlAnswer, isHead: Bool, keepsAlive: Bool, _ context: ChannelHandlerContext) {
        var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status))
        if answer.status != 204 {
            head.headers.add(name: "Content-Type", value: answer.type)
            head.headers.add(name: "Content-Length", value: String(answer.body.count))
        }
        head.headers.add(name: "Cache-Control", value: "no-store")
        if !keepsAlive { head.headers.add(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isHead, !answer.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
        }
        let end = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if !keepsAlive {
            let context = NIOLoopBound(context, eventLoop: context.eventLoop)
            end.whenComplete { _ in context.value.close(promise: nil) }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
