import Glibc
import NIOCore
import NIOPosix

/// The floor for a server on SwiftNIO: one loop, no more of HTTP than where a request without a body ends.
@main
struct NIOServer {
    static func main() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Answerer())
                }
            }
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: 0).get()
        print("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
        fflush(nil)
        try await channel.closeFuture.get()
    }
}

/// Answers each empty line with the same hundred bytes.
final class Answerer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let answer = ByteBuffer(
        string: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + String(repeating: "0", count: 100))
    /// How many bytes of CR LF CR LF have been seen.
    private var matched = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        let requests = buffer.withUnsafeReadableBytes { bytes in
            var requests = 0
            for byte in bytes {
                let wanted: UInt8 = matched % 2 == 0 ? 13 : 10
                matched = byte == wanted ? matched + 1 : (byte == 13 ? 1 : 0)
                if matched == 4 { (matched, requests) = (0, requests + 1) }
            }
            return requests
        }
        for _ in 0..<requests { context.write(wrapOutboundOut(Self.answer), promise: nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
