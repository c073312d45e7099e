import ClientMachines
import Glibc
import NIOCore
import NIOPosix
import Locks
import TestSupport
import Testing

@testable import ClientEngine

/// A resolver that answers when the test says so.
final class HeldResolver: ClientEngine.Resolver {
    private let held = Lock<[(family: AddressFamily, answer: @Sendable (ResolverAnswer) -> Void)]>([])
    let withdrawn = Lock<[FamilyName]>([])

    func resolve(
        host: String, port: Int, family: AddressFamily, answer: @escaping @Sendable (ResolverAnswer) -> Void
    ) -> NameWaiter? {
        held.withLock { held in
            held.append((family, answer))
            return NameWaiter(name: FamilyName(host, family), number: UInt64(held.count))
        }
    }

    func withdraw(_ waiter: NameWaiter) { withdrawn.withLock { $0.append(waiter.name) } }

    func answer(_ family: AddressFamily, _ answer: ResolverAnswer) {
        for waiter in held.withLock({ $0 }) where waiter.family == family { waiter.answer(answer) }
    }
}

@Suite(.endsInTime) struct SocketTransportTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let resolver = HeldResolver()
    private let recorder = InputRecorder()
    private let transport: SocketTransport
    private let id = ConnectionID(1)

    init() { transport = SocketTransport(eventLoop: loop, resolver: resolver, grace: .seconds(20)) }

    private func connect(_ id: ConnectionID, to address: NetworkAddress) async throws {
        try await loop.run { [transport, recorder] in transport.connect(id, to: address, for: recorder) }
    }

    private func write(_ texts: [String], to id: ConnectionID) async throws {
        try await loop.run { [transport] in
            for text in texts { transport.write(ByteBuffer(string: text), to: id) }
            transport.flush()
        }
    }

    private func close(_ id: ConnectionID) async throws {
        try await loop.run { [transport, recorder] in transport.close(id, for: recorder) }
    }

    private func count() async throws -> Int { try await loop.run { [transport] in transport.count } }

    // BEHAVIOUR 2.G7
    @Test func `an open connection knows its own end`() async throws {
        let listener = try RawListener(backlog: 4)
        try await connect(id, to: listener.address)
        guard case .connected(id, let local?, false) = await recorder.next() else {
            Issue.record("no local address")
            return
        }
        #expect(local.text == "127.0.0.1" && local.port > 0 && local.port != listener.address.port)
    }

    @Test func `bytes and FIN of the peer become inputs, and closing is answered once`() async throws {
        let listener = try RawListener(backlog: 4)
        try await connect(id, to: listener.address)
        #expect(await recorder.next()?.isConnected(id) == true)
        let peer = try listener.accept()
        #expect(peer.send("hello") == 0)
        #expect(await recorder.next() == .received(id, ByteBuffer(string: "hello")))
        peer.finish()
        #expect(await recorder.next() == .inputClosed(id))
        try await write(["still ", "there"], to: id)
        #expect(await recorder.next() == .wrote(id, bytes: 11))
        #expect(peer.receive(11) == Array("still there".utf8))
        try await close(id)
        try await close(id)
        #expect(await recorder.next() == .closed(id))
        #expect(peer.end() == 0)
        #expect(try await count() == 0)
        // Had the second close been answered too, its answer would come before this one.
        try await connect(ConnectionID(2), to: listener.address)
        #expect(await recorder.next()?.isConnected(ConnectionID(2)) == true)
        try await close(ConnectionID(2))
    }

    // BEHAVIOUR 1.B2-prompt
    @Test func `what a fast body brings before a pause does not wait for more`() async throws {
        let recorder = InputRecorder(due: 1 << 30)
        let listener = try RawListener(backlog: 4)
        let address = listener.address
        try await loop.run { [transport, id] in transport.connect(id, to: address, for: recorder) }
        #expect(await recorder.next()?.isConnected(id) == true)
        let peer = try listener.accept()
        for count in [32 << 20, 1000] {
            var missing = count
            #expect(peer.send([UInt8](repeating: 0, count: count)) == 0)
            while missing > 0, case .received(id, let bytes)? = await recorder.next() { missing -= bytes.readableBytes }
            #expect(missing == 0)
        }
    }

    @Test func `a reset by the peer is the end and nothing else`() async throws {
        let listener = try RawListener(backlog: 4)
        try await connect(id, to: listener.address)
        #expect(await recorder.next()?.isConnected(id) == true)
        try listener.accept().reset()
        #expect(await recorder.next() == .closed(id))
        #expect(try await count() == 0)
    }

    @Test func `writes of one turn leave in one segment and are reported once`() async throws {
        let listener = try RawListener(backlog: 4)
        try await connect(id, to: listener.address)
        #expect(await recorder.next()?.isConnected(id) == true)
        let peer = try listener.accept()
        try await write(["GET / HTTP/1.1\r\n", "Host: a\r\n", "\r\n"], to: id)
        #expect(await recorder.next() == .wrote(id, bytes: 27))
        #expect(peer.receive(27).count == 27)
        #expect(peer.dataSegments == 1)
        // The next turn's are counted by themselves.
        try await write(["more"], to: id)
        #expect(await recorder.next() == .wrote(id, bytes: 4))
        #expect(peer.receive(4) == Array("more".utf8))
        try await close(id)
    }

    @Test func `a refused connection fails as refused`() async throws {
        let deaf = try RawListener(backlog: nil)
        try await connect(id, to: deaf.address)
        #expect(await recorder.next() == .connectFailed(id, .refused))
        #expect(try await count() == 0)
    }

    @Test func `an address that is none fails`() async throws {
        try await connect(id, to: NetworkAddress(text: "not an address", port: 80))
        #expect(await recorder.next() == .connectFailed(id, .other(code: 0)))
        #expect(try await count() == 0)
    }

    @Test func `an attempt that nobody answers can be given up`() async throws {
        // Linux drops further SYNs when the accept queue is full; backlog 0 leaves room for one connection.
        let listener = try RawListener(backlog: 0)
        try await connect(ConnectionID(10), to: listener.address)
        #expect(await recorder.next()?.isConnected(ConnectionID(10)) == true)
        try await connect(id, to: listener.address)
        try await close(id)
        #expect(await recorder.next() == .closed(id))
        #expect(try await count() == 1)
        // Nothing follows: the next input is of another connection.
        try await close(ConnectionID(10))
        #expect(await recorder.next() == .closed(ConnectionID(10)))
        #expect(try await count() == 0)
    }

    // BEHAVIOUR 2.F11-names
    @Test func `each family is asked apart, and an answer that nobody wants is dropped`() async throws {
        let addresses = [NetworkAddress(text: "127.0.0.1", port: 80)]
        let (first, second) = (DialID(1), DialID(2))
        try await loop.run { [transport, recorder] in
            for dial in [first, second] { transport.resolve(dial, host: "A.test", port: 80, for: recorder) }
            transport.stopResolving(first)
        }
        #expect(resolver.withdrawn.withLock { $0 } == [FamilyName("a.test", .v6), FamilyName("a.test", .v4)])
        resolver.answer(.v4, .addresses(addresses))
        #expect(await recorder.next() == .resolved(second, .v4, addresses))
        resolver.answer(.v6, .failure("no such name"))
        #expect(await recorder.next() == .resolveFailed(second, .v6, detail: "no such name"))
        #expect(try await count() == 0)
    }

    @Test func `reading can be stopped and goes on where it was`() async throws {
        let listener = try RawListener(backlog: 4)
        let (held, free) = (ConnectionID(1), ConnectionID(2))
        try await connect(held, to: listener.address)
        #expect(await recorder.next()?.isConnected(held) == true)
        let heldPeer = try listener.accept()
        try await connect(free, to: listener.address)
        #expect(await recorder.next()?.isConnected(free) == true)
        let freePeer = try listener.accept()
        try await loop.run { [transport] in transport.setReading(false, of: held) }
        // What comes first is still taken, and stops the reading.
        #expect(heldPeer.send("first") == 0)
        #expect(await recorder.next() == .received(held, ByteBuffer(string: "first")))
        #expect(heldPeer.send("held") == 0)
        #expect(freePeer.send("free") == 0)
        // One loop serves both: had the first been read, its bytes would come first.
        #expect(await recorder.next() == .received(free, ByteBuffer(string: "free")))
        try await loop.run { [transport] in transport.setReading(true, of: held) }
        #expect(await recorder.next() == .received(held, ByteBuffer(string: "held")))
        // A pause that is over before anything comes leaves no trace.
        try await loop.run { [transport] in
            transport.setReading(false, of: held)
            transport.setReading(true, of: held)
        }
        for text in ["one", "two"] {
            #expect(heldPeer.send(text) == 0)
            #expect(await recorder.next() == .received(held, ByteBuffer(string: text)))
        }
        try await close(held)
        try await close(free)
    }

    @Test func `closing still sends what was written before`() async throws {
        let listener = try RawListener(backlog: 4)
        try await connect(id, to: listener.address)
        #expect(await recorder.next()?.isConnected(id) == true)
        let peer = try listener.accept()
        // More than the kernel's buffers hold, so that some of it waits in ours when the close comes.
        let size = 16 * 1024 * 1024
        try await loop.run { [transport, recorder, id] in
            transport.write(ByteBuffer(repeating: 7, count: size), to: id)
            transport.close(id, for: recorder)
        }
        #expect(await recorder.next() == .closed(id))
        #expect(peer.receive(size + 1).count == size)
    }

    @Test func `a peer that takes nothing does not hold a closed connection for ever`() async throws {
        let transport = SocketTransport(eventLoop: loop, resolver: resolver, grace: .milliseconds(5))
        let listener = try RawListener(backlog: 4)
        let address = listener.address
        try await loop.run { [recorder, id] in transport.connect(id, to: address, for: recorder) }
        #expect(await recorder.next()?.isConnected(id) == true)
        let peer = try listener.accept()
        try await loop.run { [recorder, id] in
            transport.write(ByteBuffer(repeating: 7, count: 64 << 20), to: id)
            transport.close(id, for: recorder)
        }
        #expect(await recorder.next() == .closed(id))
        let limit = NIODeadline.now() + .seconds(10)
        while try await loop.run({ transport.count }) > 0, NIODeadline.now() < limit {}
        #expect(try await loop.run { transport.count } == 0)
        #expect(peer.receive(64 << 20).count < 64 << 20)
    }

    @Test func `ending everything tells nobody`() async throws {
        let listener = try RawListener(backlog: 4)
        try await connect(id, to: listener.address)
        #expect(await recorder.next()?.isConnected(id) == true)
        let peer = try listener.accept()
        try await loop.run { [transport] in transport.closeAll() }
        #expect(peer.end() == 0)
        #expect(try await count() == 0)
        try await connect(ConnectionID(2), to: listener.address)
        #expect(await recorder.next()?.isConnected(ConnectionID(2)) == true)
        try await close(ConnectionID(2))
    }

    @Test(arguments: [
        (ECONNREFUSED, ConnectFailure.refused), (ETIMEDOUT, .timedOut), (EHOSTUNREACH, .hostUnreachable),
        (ENETUNREACH, .networkUnreachable), (EADDRNOTAVAIL, .other(code: EADDRNOTAVAIL)),
    ])
    func `error numbers keep the meanings that outcomes depend on`(code: Int32, failure: ConnectFailure) {
        #expect(ConnectFailure(errorNumber: code) == failure)
    }
}
