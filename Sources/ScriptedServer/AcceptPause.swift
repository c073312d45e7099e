import NIOCore

/// What a listening socket does when the process may open no more files: the kernel says so at once, and again as soon
/// as it is asked, and the loop would do nothing else. Clients wait in the backlog. SwiftNIO's own handler for this
/// puts reads off; but the socket stays with epoll.
package final class AcceptPause: ChannelInboundHandler {
    package typealias InboundIn = any Channel

    private static let span = TimeAmount.milliseconds(200)

    /// For `serverChannelInitializer`.
    @Sendable package static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptPause()) }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IOError else { return context.fireErrorCaught(error) }
        let channel = context.channel
        // Fails only on a channel that is closed.
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        channel.eventLoop.scheduleTask(in: AcceptPause.span) {
            channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }
    }
}
