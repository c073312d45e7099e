import Locks
import NIOCore
import NIOEmbedded
import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

@Suite(.endsInTime) struct PeerTransportTests {
    private let peer = PeerID(0)
    private let large = ByteBuffer(repeating: 7, count: 16 * 1024 * 1024)

    @Test func `connections are numbered in the order of acceptance, across hosts`() async throws {
        let server = try await BareServer(hosts: ["a.test", "b.test"])
        #expect(server.listeners.addresses["a.test"]?.ip == "127.0.0.1")
        #expect(server.listeners.addresses["b.test"]?.ip == "127.0.0.2")
        let first = try server.client("b.test")
        #expect(await server.recorder.next() == .accepted(PeerID(0), host: "b.test"))
        let second = try server.client("a.test")
        #expect(await server.recorder.next() == .accepted(PeerID(1), host: "a.test"))
        second.send("two")
        #expect(await server.recorder.next() == .received(PeerID(1), ByteBuffer(string: "two")))
        first.close()
        #expect(await server.recorder.next() == .inputClosed(PeerID(0)))
        try await server.stop()
    }

    /// Has more to say whenever something was written.
    private final class Talker: PeerTaker, @unchecked Sendable {  // Safety: on one thread.
        var transport: PeerTransport?
        var count = 0

        func take(_ input: ScriptInput) {
            guard case .wrote(let peer, _) = input, count < 1_000_000 else { return }
            count += 1
            transport?.perform(.write(peer, ByteBuffer(bytes: [7])))
        }
    }

    @Test func `a connection that always has more to send leaves the loop to others`() throws {
        let loop = EmbeddedEventLoop(), talker = Talker(), transport = PeerTransport(trace: nil)
        talker.transport = transport
        let handler = PeerHandler(host: "a.test", transport: transport, taker: talker)
        let channel = EmbeddedChannel(handler: handler, loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        transport.perform(.write(peer, ByteBuffer(bytes: [7])))
        loop.run()
        let first = talker.count
        #expect(0 < first && first < 1_000_000)
        loop.advanceTime(by: .milliseconds(1))
        #expect(talker.count > first)
        talker.transport = nil
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `every write leaves as a segment of its own and is reported`() async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(
            .write(peer, ByteBuffer(string: "a")), .write(peer, ByteBuffer(string: "b")),
            .write(peer, ByteBuffer(string: "cd")))
        #expect(client.receive(4) == Array("abcd".utf8))
        #expect(client.dataSegments == 3)
        #expect(await server.recorder.next() == .wrote(peer, bytes: 4))
        try await server.stop()
    }

    @Test func `a head leaves in one segment with what follows it`() async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(
            .writeAhead(peer, ByteBuffer(string: "head")), .write(peer, ByteBuffer(string: "body")))
        #expect(client.receive(8) == Array("headbody".utf8))
        #expect(client.dataSegments == 1)
        #expect(await server.recorder.next() == .wrote(peer, bytes: 8))
        try await server.perform(.writeAhead(peer, ByteBuffer(string: "alone")))
        #expect(client.receive(5) == Array("alone".utf8))
        try await server.perform(.writeAhead(peer, ByteBuffer(string: "head")), .write(peer, large), .close(peer))
        #expect(client.receiveToEnd().bytes == Array("head".utf8) + Array(large.readableBytesView))
        try await server.stop()
    }

    @Test func `a stop in the same turn still sends what was written`() async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.loop.submit { [transport = server.transport, peer] in
            transport.perform(.write(peer, ByteBuffer(string: "answer")))
            transport.stop()
        }.get()
        #expect(client.receiveToEnd().bytes == Array("answer".utf8))
        try await server.stop()
    }

    @Test func `close sends what was written, then FIN, and is over for the machine`() async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(.write(peer, large), .close(peer), .write(peer, ByteBuffer(string: "late")))
        let (bytes, end) = client.receiveToEnd()
        #expect(bytes.count == large.readableBytes)
        #expect(end == .fin)
        #expect(await server.recorder.nextAfterWrites() == (large.readableBytes, .closed(peer)))
        #expect(client.isStillHeard())
        client.close()
        #expect(try await server.becomesEmpty())
        try await server.stop()
    }

    @Test func `close discards unread input without a reset`() async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(.setReading(peer, false))
        #expect(client.send([UInt8](repeating: 1, count: 30_000)) == 0)
        try await server.perform(.write(peer, ByteBuffer(string: "answer")), .close(peer))
        #expect(client.receive(6) == Array("answer".utf8))
        #expect(client.receiveToEnd().end == .fin)
        #expect(await server.recorder.nextAfterWrites() == (6, .closed(peer)))
        #expect(client.isStillHeard())
        try await server.stop()
    }

    @Test func `a client that does not close is let go after a while`() async throws {
        let server = try await BareServer(lingerTime: .milliseconds(10))
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(.close(peer))
        #expect(client.receiveToEnd().end == .fin)
        #expect(try await server.becomesEmpty())
        try await server.stop()
    }

    @Test func `a client that goes on sending is let go after so many bytes`() async throws {
        let server = try await BareServer(lingerBytes: 100_000)
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(.close(peer))
        #expect(await server.recorder.next() == .closed(peer))
        // Far more than the kernel's buffers take for a server that would not read at all.
        #expect(client.send([UInt8](repeating: 1, count: 64 << 20)) != 0)
        #expect(try await server.becomesEmpty())
        try await server.stop()
    }

    @Test func `closeOutput sends FIN and goes on reading`() async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(.write(peer, large), .closeOutput(peer))
        let (bytes, end) = client.receiveToEnd()
        #expect(bytes.count == large.readableBytes)
        #expect(end == .fin)
        client.send("more")
        let next = await server.recorder.nextAfterWrites()
        #expect(next == (large.readableBytes, .received(peer, ByteBuffer(string: "more"))))
        #expect(client.state == RawSocket.closeWait)
        client.close()
        #expect(await server.recorder.next() == .closed(peer))
        try await server.stop()
    }

    @Test func `closeOutput after the client's FIN still sends everything`() async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        client.finish()
        #expect(await server.recorder.next() == .inputClosed(peer))
        try await server.perform(.write(peer, large), .closeOutput(peer))
        let (bytes, end) = client.receiveToEnd()
        #expect(bytes.count == large.readableBytes)
        #expect(end == .fin)
        #expect(await server.recorder.nextAfterWrites() == (large.readableBytes, .closed(peer)))
        try await server.stop()
    }

    @Test(arguments: [false, true])
    func `reset is RST, with unread input or without`(hasUnreadInput: Bool) async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        if hasUnreadInput {
            try await server.perform(.setReading(peer, false))
            client.send("unread")
        }
        try await server.perform(.reset(peer))
        #expect(client.receiveToEnd().end == .reset)
        #expect(await server.recorder.next() == .closed(peer))
        #expect(try await server.count() == 0)
        try await server.stop()
    }

    @Test func `reset drops what is not sent`() async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(.write(peer, large), .reset(peer))
        let (bytes, end) = client.receiveToEnd()
        #expect(end == .reset)
        #expect(bytes.count < large.readableBytes)
        #expect(await server.recorder.next() == .closed(peer))
        try await server.stop()
    }

    @Test func `reset after FIN is still RST`() async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(.closeOutput(peer))
        #expect(client.receiveToEnd().end == .fin)
        try await server.perform(.reset(peer))
        #expect(await server.recorder.next() == .closed(peer))
        // A connection in order would take the bytes; a reset one has forgotten us.
        #expect(client.send("x") != 0)
        try await server.stop()
    }

    @Test func `reading can be stopped and goes on where it was`() async throws {
        let server = try await BareServer()
        let (held, free) = (try server.client(), try server.client())
        #expect(await server.recorder.next() == .accepted(PeerID(0), host: "a.test"))
        #expect(await server.recorder.next() == .accepted(PeerID(1), host: "a.test"))
        try await server.perform(.setReading(PeerID(0), false))
        held.send("held")
        free.send("free")
        #expect(await server.recorder.next() == .received(PeerID(1), ByteBuffer(string: "free")))
        try await server.perform(.setReading(PeerID(0), true))
        #expect(await server.recorder.next() == .received(PeerID(0), ByteBuffer(string: "held")))
        try await server.stop()
    }

    @Test func `connections over the limit are closed unseen, which is told once`() async throws {
        let told = Lock<[Int]>([])
        let server = try await BareServer(mostPeers: 1, onFull: { limit in told.withLock { $0.append(limit) } })
        let first = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        for _ in 0..<2 { #expect(try server.client().receiveToEnd().end == .fin) }
        first.send("x")
        #expect(await server.recorder.next() == .received(peer, ByteBuffer(string: "x")))
        #expect(told.withLock { $0 } == [1])
        try await server.stop()
    }

    @Test func `a stop does not wait for a client that reads nothing`() async throws {
        let server = try await BareServer()
        let client = try server.client()
        #expect(await server.recorder.next() == .accepted(peer, host: "a.test"))
        try await server.perform(.write(peer, large))
        try await server.stop()
        #expect(try await server.count() == 0)
        #expect(client.receiveToEnd().bytes.count < large.readableBytes)
        #expect(throws: RawSocket.Trouble.self) { try server.client() }
    }
}
