import HTTPBasics
import NIOCore
import NIOHTTP1
import NIOPosix
import ScriptedServer

/// The control interface of a served script: HTTP and JSON on a port and an event loop of its own, so that nothing that
/// happens to the script's clients holds it up. Documentation/CONTROL.md says what it can do.
package final class ControlServer: Sendable {
    static let mostBodyBytes = 1 << 20
    /// At one time; others are closed.
    static let mostConnections = 64

    package let url: String
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup

    private init(url: String, channel: any Channel, group: MultiThreadedEventLoopGroup) {
        self.url = url
        self.channel = channel
        self.group = group
    }

    /// - Throws: `ScriptedServerError` if it cannot listen there.
    package static func start(_ server: ScriptedServer, bind: String, port: Int) async throws -> ControlServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let router = ControlRouter(server: server)
        let count = ControlConnections()
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 4)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard count.admit(channel) else { throw ScriptedServerError("too many connections") }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IdleStateHandler(readTimeout: .seconds(330)))
                    try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                    try pipeline.addHandler(NIOHTTPServerRequestAggregator(maxContentLength: mostBodyBytes))
                    try pipeline.addHandler(ControlHandler(router))
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
            throw ScriptedServerError("the control interface cannot listen on \(bind) port \(port): \(error)")
        }
    }

    package func stop() async {
        try? await channel.close()
        try? await group.shutdownGracefully()
    }
}

/// How many there are. Touched on the one loop only.
private final class ControlConnections: @unchecked Sendable {  // Safety: see above.
    private var count = 0

    func admit(_ channel: any Channel) -> Bool {
        guard count < ControlServer.mostConnections else { return false }
        count += 1
        channel.closeFuture.whenComplete { [self] _ in count -= 1 }
        return true
    }
}
