import NIOCore
import NIOHTTP1

/// How long one connection may take for a request: whoever sends a byte now and then is never idle, and would keep its
/// place for ever.
final class ControlPatience: @unchecked Sendable {  // Safety: touched on its loop only.
    private let channel: any Channel
    private let span: TimeAmount
    private var alarm: Scheduled<Void>?
    /// Whole requests that have no answer yet.
    private var unanswered = 0

    var isAnswering: Bool { unanswered > 0 }
    /// What comes from now on is thrown away unread.
    var isDeaf = false
    /// The client will send no more, though it may have sent more than was looked at.
    private(set) var hasClientFinished = false
    var onClientFinished: () -> Void = {}

    init(_ channel: any Channel, atMost span: TimeAmount) {
        self.channel = channel
        self.span = span
    }

    /// In front of the parser.
    var ofBytes: any ChannelHandler { Bytes(self) }
    /// In front of what makes whole requests of their parts.
    var ofRequests: any ChannelHandler { Requests(self) }

    private func bytesCame() {
        // What follows a request that is being answered waits for us.
        guard alarm == nil, unanswered == 0 else { return }
        alarm = channel.eventLoop.scheduleTask(in: span) { [channel] in channel.close(promise: nil) }
    }

    private func requestCame() {
        unanswered += 1
        stop()
    }

    private func stop() {
        alarm?.cancel()
        alarm = nil
    }

    private final class Bytes: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let patience: ControlPatience

        init(_ patience: ControlPatience) { self.patience = patience }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !patience.isDeaf else { return }
            patience.bytesCame()
            context.fireChannelRead(data)
        }

        /// What makes whole requests of their parts tells this only when all of them have been answered.
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event {
                patience.hasClientFinished = true
                patience.onClientFinished()
            }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            patience.stop()
            context.fireChannelInactive()
        }
    }

    private final class Requests: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart

        private let patience: ControlPatience

        init(_ patience: ControlPatience) { self.patience = patience }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .end = unwrapInboundIn(data) { patience.requestCame() }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            // One that is refused before it is whole has never been among them.
            if case .end = unwrapOutboundIn(data) { patience.unanswered = max(0, patience.unanswered - 1) }
            context.write(data, promise: promise)
        }
    }
}
