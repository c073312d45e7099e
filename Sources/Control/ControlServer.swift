import HTTPBasics
import NIOCore
import NIOHTTP1
import NIOPosix
import ScriptedServer

/// The control interface of a served script: HTTP and JSON on a port and an event loop of its own, so that nothing that
/// happens to the script's clients holds it up. Documentation/CONTROL.md says what it can do.
package final class ControlServer: Sendable {
    package let url: String
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup

    private init(url: String, channel: any Channel, group: MultiThreadedEventLoopGroup) {
        self.url = url
        self.channel = channel
        self.group = group
    }

    /// - Throws: `ScriptedServerError` if it cannot listen there.
    package static func start(
        _ server: ScriptedServer, bind: String, port: Int, limits: ControlLimits = ControlLimits()
    ) async throws -> ControlServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let router = ControlRouter(server: server)
        let connections = ControlConnections(most: limits.connections)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer(AcceptPause.add)
            .childChannelOption(.maxMessagesPerRead, value: 4)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let patience = ControlPatience(channel, atMost: limits.requestTime)
                    guard connections.admit(patience, channel) else {
                        throw ScriptedServerError("too many connections")
                    }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(patience.ofBytes)
                    try pipeline.addHandler(IdleStateHandler(readTimeout: .seconds(330)))
                    try pipeline.configureHTTPServerPipeline(
                        withErrorHandling: false, withEncoderConfiguration: HTTPResponseEncoder.Configuration(),
                        withDecoderLimitConfiguration: ControlLimits.heads)
                    try pipeline.addHandler(patience.ofRequests)
                    try pipeline.addHandler(ControlHandler(router, patience, mostBodyBytes: limits.bodyBytes))
                }
            }
        do {
            let address = try SocketAddress.makeAddressResolvingHost(bind, port: port)
            let channel = try await bootstrap.bind(to: address).get()
            let bound = channel.localAddress
            let host = bound?.ipAddress ?? bind
            let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(bound?.port ?? port)"
            return ControlServer(url: url, channel: channel, group: group)
        } catch {
            try? await group.shutdownGracefully()
            let reason = Listeners.reason(error)
            throw ScriptedServerError("the control interface cannot listen on \(bind) port \(port): \(reason)")
        }
    }

    package func stop() async {
        try? await channel.close()
        try? await group.shutdownGracefully()
    }
}
