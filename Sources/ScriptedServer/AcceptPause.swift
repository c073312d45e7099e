import NIOCore

/// What a listening socket does when the process may open no more files: the kernel would say so at once, and again as
/// soon as it is asked, and the loop would do nothing else. Clients wait in the backlog.
package enum AcceptPause {
    private static let span = TimeAmount.milliseconds(200)

    /// For `serverChannelInitializer`.
    @Sendable package static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let handler = AcceptBackoffHandler(shouldForwardIOErrorCaught: false) { _ in span }
            try channel.pipeline.syncOperations.addHandler(handler)
        }
    }
}
