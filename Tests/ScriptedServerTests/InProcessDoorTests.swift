import Glibc
import NIOCore
import NIOPosix
import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

@Suite(.endsInTime) struct InProcessDoorTests {
    /// A client that reads and writes by itself.
    private struct Client {
        let descriptor: CInt
        let ended: @Sendable () -> Void

        init(_ server: ScriptedServer, _ host: String = "a.test") throws {
            guard case .connected(let descriptor, let ended) = server.connect(to: host) else {
                throw ScriptedServerError("no connection")
            }
            (self.descriptor, self.ended) = (descriptor, ended)
            _ = fcntl(descriptor, F_SETFL, 0)
        }

        func send(_ text: String) { _ = Glibc.send(descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL)) }

        /// All that comes, and the error at its end; 0 for none.
        func receive() -> (text: String, error: CInt) {
            var bytes: [UInt8] = [], piece = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &piece, piece.count, 0)
                if count <= 0 { return (String(decoding: bytes, as: UTF8.self), count < 0 ? errno : 0) }
                bytes += piece.prefix(count)
            }
        }

        func close() {
            _ = Glibc.close(descriptor)
            ended()
        }
    }

    private static let request = "GET /a HTTP/1.1\r\nHost: a.test\r\n\r\n"

    @Test func `a connection ends in order, or is reset`() async throws {
        let server = try await ScriptedServer.startInProcess {
            $0.get("/a", reply: .ok("abc").fin(at: .body(2)))
            $0.get("/a", reply: .ok("abc").reset(at: .body(2)))
            $0.get("/a", reply: .reset())
        }
        for error in [0, ECONNRESET] {
            let client = try Client(server)
            client.send(Self.request)
            let (text, got) = client.receive()
            #expect(text.hasSuffix("\r\n\r\nab"))
            #expect(got == error)
            client.close()
        }
        let client = try Client(server)
        client.send(Self.request)
        let nothing = client.receive()
        #expect(nothing.text.isEmpty && nothing.error == ECONNRESET)
        client.close()
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `a client that has closed is gone, though the server has a copy of its end`() async throws {
        let server = try await ScriptedServer.startInProcess { $0.get("/a", reply: .stall()) }
        let client = try Client(server)
        client.send(Self.request)
        while server.requestCount == 0 { await Task.yield() }
        client.close()
        while !server.journal.contains(where: { $0.kind == .closed(byClient: true) }) { await Task.yield() }
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `hosts that refuse and hosts that never answer`() async throws {
        let server = try await ScriptedServer.startInProcess {
            $0.hosts("a.test", "b.test", "c.test")
            $0.refuseConnections(to: "b.test")
            $0.neverAnswerConnections(to: "c.test")
        }
        func isRefused(_ host: String) -> Bool {
            if case .failed(ECONNREFUSED) = server.connect(to: host) { true } else { false }
        }
        #expect(isRefused("b.test"))
        #expect(isRefused("d.test"))
        guard case .silent = server.connect(to: "c.test") else {
            Issue.record("it answers")
            return
        }
        try Client(server).close()
        try await server.stop()
        #expect(isRefused("a.test"))
    }

    @Test func `a server that stops ends what it has`() async throws {
        let server = try await ScriptedServer.startInProcess { $0.route("GET", "/a", reply: .stall()) }
        let client = try Client(server)
        client.send(Self.request)
        while server.requestCount == 0 { await Task.yield() }
        try await server.stop()
        #expect(client.receive().error == 0)
        client.close()
    }

    @Test func `a client of a server whose loop has ended sees an end, and nothing is left open`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: Reply()))])
        let server = try await ScriptedServer.start(script: script, isInProcess: true, eventLoop: group.next())
        try await group.shutdownGracefully()
        let client = try Client(server)
        #expect(client.receive().text.isEmpty)
        client.close()
        withExtendedLifetime(server) {}
    }

    @Test func `a copy is let go once, and may be let go before it is used`() throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let copy = try #require(ClientEnd(of: ends[0]))
        copy.sendUnread()
        var byte: UInt8 = 1
        #expect(recv(ends[1], &byte, 1, 0) == 1 && byte == 0)
        copy.letGo()
        copy.letGo()
        copy.sendUnread()
        #expect(recv(ends[1], &byte, 1, CInt(MSG_DONTWAIT)) < 0)
        #expect(ClientEnd(of: -1) == nil)
    }
}
