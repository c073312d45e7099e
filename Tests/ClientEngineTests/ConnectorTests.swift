import ClientMachines
import Glibc
import Locks
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ClientEngine

@Suite(.endsInTime) struct ConnectorTests {
    /// Gives the same answer to every attempt.
    private final class OneAnswer: Connector {
        let answer: ConnectorAnswer

        init(_ answer: ConnectorAnswer) { self.answer = answer }

        func resolve(
            host: String, port: Int, family: AddressFamily, answer: @escaping @Sendable (ResolverAnswer) -> Void
        ) -> NameWaiter? {
            answer(.addresses([NetworkAddress(text: host, port: port)]))
            return nil
        }

        func withdraw(_ waiter: NameWaiter) {}

        func connect(to address: NetworkAddress) -> ConnectorAnswer { answer }
    }

    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let recorder = InputRecorder()
    private let id = ConnectionID(1)

    private func connected(_ answer: ConnectorAnswer) async throws -> SocketTransport {
        let transport = SocketTransport(
            eventLoop: loop, resolver: SystemResolver.shared, connector: OneAnswer(answer), grace: .seconds(20))
        try await loop.run { [recorder, id] in
            transport.connect(id, to: NetworkAddress(text: "a.test", port: 80), for: recorder)
        }
        return transport
    }

    private func close(_ transport: SocketTransport) async throws {
        try await loop.run { [recorder, id] in transport.close(id, for: recorder) }
    }

    private func count(_ transport: SocketTransport) async throws -> Int { try await loop.run { transport.count } }

    @Test func `a name means what the connector says`() async throws {
        let transport = try await connected(.silent)
        try await loop.run { [recorder] in transport.resolve(DialID(1), host: "a.test", port: 8, for: recorder) }
        for family in AddressFamily.allCases {
            let address = NetworkAddress(text: "a.test", port: 8)
            #expect(await recorder.next() == .resolved(DialID(1), family, [address]))
        }
        try await close(transport)
    }

    @Test func `an end of a stream is a connection like any other, and its maker hears of its end`() async throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let peer = ends[1]
        let (hasEnded, continuation) = AsyncStream.makeStream(of: Void.self)
        let transport = try await connected(.connected(descriptor: ends[0]) { continuation.finish() })
        #expect(await recorder.next() == .connected(id, local: nil))
        #expect(send(peer, "hello", 5, 0) == 5)
        #expect(await recorder.next() == .received(id, ByteBuffer(string: "hello")))
        try await loop.run { [id] in
            transport.write(ByteBuffer(string: "hi"), to: id)
            transport.flush()
        }
        #expect(await recorder.next() == .wrote(id, bytes: 2))
        #expect(shutdown(peer, CInt(SHUT_WR)) == 0)
        #expect(await recorder.next() == .inputClosed(id))
        try await close(transport)
        #expect(await recorder.next() == .closed(id))
        for await _ in hasEnded {}
        #expect(try await count(transport) == 0)
        Glibc.close(peer)
    }

    @Test func `a failure is told in the system's numbers`() async throws {
        let transport = try await connected(.failed(errorNumber: ECONNREFUSED))
        #expect(await recorder.next() == .connectFailed(id, .refused))
        #expect(try await count(transport) == 0)
    }

    @Test func `who is never answered leaves nothing behind`() async throws {
        let transport = try await connected(.silent)
        #expect(try await count(transport) == 1)
        try await close(transport)
        #expect(await recorder.next() == .closed(id))
        #expect(try await count(transport) == 0)
        try await loop.run { [recorder] in
            transport.connect(ConnectionID(2), to: NetworkAddress(text: "a.test", port: 80), for: recorder)
            transport.closeAll()
        }
        #expect(try await count(transport) == 0)
    }
}
