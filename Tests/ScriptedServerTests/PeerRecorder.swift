import NIOCore
import TestSupport
import NIOPosix
import ServerScript
import ServerTLS

@testable import ScriptedServer

/// Stands in for the script machine: hands everything it is told to the test, in order, and gives up after a while.
final class PeerRecorder: PeerTaker {
    private let stream: AsyncStream<ScriptInput>
    private let continuation: AsyncStream<ScriptInput>.Continuation

    /// After `limit`, `next` brings nothing but nil, so that a test fails instead of hanging.
    init(limit: TimeAmount = .seconds(20)) {
        let (stream, continuation) = AsyncStream.makeStream(of: ScriptInput.self)
        self.stream = stream
        self.continuation = continuation
        MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: limit) { continuation.finish() }
    }

    func take(_ input: ScriptInput) { continuation.yield(input) }

    func next() async -> ScriptInput? { await stream.first { _ in true } }

    /// The next input that is no report of written bytes, and how many bytes were reported before it.
    func nextAfterWrites() async -> (written: Int, input: ScriptInput?) {
        var written = 0
        while let input = await next() {
            guard case .wrote(_, let bytes) = input else { return (written, input) }
            written += bytes
        }
        return (written, nil)
    }
}

/// A listener whose connections report to a recorder, with no script behind them.
struct BareServer {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let recorder = PeerRecorder()
    let transport: PeerTransport
    let listeners: Listeners

    init(
        hosts: [String] = ["a.test"], mostPeers: Int = 16, lingerTime: TimeAmount = .seconds(10),
        lingerBytes: Int = 1 << 20, security: [String: HostSecurity] = [:], kernelBuffer: Int? = nil,
        onFull: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws {
        let transport = PeerTransport(
            trace: WireTrace(), security: security, mostPeers: mostPeers, lingerTime: lingerTime,
            lingerBytes: lingerBytes, onFull: onFull)
        self.transport = transport
        listeners = try await Listeners.bind(hosts: hosts, ip: "127.0.0.1", port: 0, eventLoop: loop) {
            [recorder] channel, host in
            if let kernelBuffer {
                for name in [NIOBSDSocket.Option.so_sndbuf, .so_rcvbuf] {
                    try channel.syncOptions?.setOption(.socketOption(name), value: kernelBuffer)
                }
            }
            let handler = PeerHandler(host: host, transport: transport, taker: recorder)
            try channel.pipeline.syncOperations.addHandler(handler)
        }
        listeners.open()
    }

    func client(_ host: String = "a.test") throws -> RawSocket {
        let address = listeners.addresses[host] ?? ("", 0)
        return try RawSocket(port: address.port, ip: address.ip)
    }

    func perform(_ outputs: ScriptOutput...) async throws {
        try await loop.submit { [transport] in for output in outputs { transport.perform(output) } }.get()
    }

    func count() async throws -> Int { try await loop.submit { [transport] in transport.count }.get() }

    /// Turns of the loop until no connection is left, or until a bound that only a defect reaches.
    func becomesEmpty() async throws -> Bool {
        let limit = NIODeadline.now() + .seconds(10)
        while try await count() > 0 { guard NIODeadline.now() < limit else { return false } }
        return true
    }

    func stop() async throws {
        listeners.close()
        try await loop.submit { [transport] in transport.stop() }.get()
    }
}
