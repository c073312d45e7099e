import HTTPBasics
import NIOCore
import ServerScript
import Locks
import TestSupport
import Testing

@testable import ScriptedServer

@Suite(.endsInTime) struct ScriptedServerTests {
    private func client(of server: ScriptedServer, _ host: String = "a.test") throws -> RawSocket {
        let address = try #require(server.addresses[host])
        return try RawSocket(port: address.port, ip: address.ip)
    }

    private let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `a script is played and the verdict says so`() async throws {
        let server = try await ScriptedServer.start { $0.get("/a", reply: ServerReply.ok("hi").untilClose()) }
        let client = try client(of: server)
        client.send(get)
        let (bytes, end) = client.receiveToEnd()
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\nhi"))
        #expect(end == .fin)
        let verdict = try await server.stop()
        #expect(verdict.isFulfilled, "\(verdict)")
        #expect(verdict.requests.map(\.description) == ["GET /a"])
        #expect(verdict.requests.first?.header("host") == "a")
    }

    @Test func `what did not happen and what should not have are in the verdict`() async throws {
        let server = try await ScriptedServer.start {
            $0.get("/b", reply: "b")
            $0.post("/c", on: "C", times: 2, reply: "c")
        }
        let client = try client(of: server)
        client.send(get)
        #expect(client.receiveToEnd().end == .fin)
        let verdict = try await server.stop()
        #expect(!verdict.isFulfilled)
        #expect(verdict.violations.count == 1)
        #expect(verdict.violations.first?.contains("GET /a") == true)
        #expect(verdict.unconsumed == ["GET /b", "POST /c on connection C, 2 times"])
        #expect(verdict.description.contains("did not happen: GET /b"))
    }

    @Test func `the url leads to the first host`() async throws {
        let server = try await ScriptedServer.start {
            $0.hosts("a.test", "b.test")
            $0.route("GET", "/a", host: "b.test", reply: ServerReply.redirect(to: "$origin.a.test/end"))
        }
        let port = try #require(server.addresses["a.test"]?.port)
        #expect(server.url == "http://127.0.0.1:\(port)")
        #expect(server.url(of: "a.test") == server.url)
        #expect(server.url(of: "b.test")?.hasPrefix("http://127.0.0.2:") == true)
        #expect(server.url(of: "c.test") == nil)
        let client = try client(of: server, "b.test")
        client.send(get)
        let expected = "Location: \(server.url)/end\r\n"
        let head = String(decoding: client.receiveHead(), as: UTF8.self)
        #expect(head.contains(expected), "\(head)")
        try await server.stop()
    }

    @Test func `a signal lets a waiting answer go on`() async throws {
        let waits = AsyncStream.makeStream(of: String.self)
        let script = Script(steps: [
            Step(
                .exchange(
                    Exchange(
                        RequestMatch("GET", "/a"),
                        reply: Reply(
                            body: .text("abcd"), timeline: [.bytes(2), .signal("half"), .await("go"), .rest]))))
        ])
        let server = try await ScriptedServer.start(script: script, onSignal: { waits.continuation.yield($0) })
        let client = try client(of: server)
        client.send(get)
        var signals = waits.stream.makeAsyncIterator()
        #expect(await signals.next() == "half")
        _ = client.receiveHead()
        #expect(client.receive(2) == Array("ab".utf8))
        #expect(client.receiveToEnd(patience: 20) == ([], .silence))
        server.signal("go")
        #expect(client.receive(2) == Array("cd".utf8))
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `events arrive live and in the journal, and the wire is remembered`() async throws {
        let events = Lock<[ServerEvent]>([])
        let script = Script(steps: [
            Step(.exchange(Exchange(RequestMatch("GET", "/a"), reply: Reply(body: .text("hi"), framing: .close))))
        ])
        let server = try await ScriptedServer.start(
            script: script, tracesWire: true, onEvent: { event in events.withLock { $0.append(event) } })
        #expect(try await !server.isExhausted())
        let client = try client(of: server)
        client.send(get)
        let (bytes, _) = client.receiveToEnd()
        let wire = try await server.wire()
        #expect(wire.count == 1)
        let sent = wire.first?.pieces.filter { $0.direction == .sent }.flatMap(\.bytes)
        let received = wire.first?.pieces.filter { $0.direction == .received }.flatMap(\.bytes)
        #expect(sent == bytes)
        #expect(received == Array(get.utf8))
        #expect(try await server.isExhausted())
        #expect(try await server.verdict().isFulfilled)
        try await server.stop()
        #expect(events.withLock { $0 } == server.journal)
        #expect(server.journal.first?.kind == .accepted)
    }

    @Test func `a stop ends every connection at once, and again is harmless`() async throws {
        let server = try await ScriptedServer.start { $0.get("/a", reply: .stall()) }
        let client = try client(of: server)
        client.send(get)
        _ = try await server.verdict()
        try await server.stop()
        try await server.stop()
        #expect(client.receiveToEnd().end != .silence)
        #expect(throws: (any Error).self) { try self.client(of: server) }
    }

    @Test func `a server that is let go of stops`() async throws {
        var server: ScriptedServer? = try await ScriptedServer.start { $0.get("/a", reply: .stall()) }
        let client = try client(of: #require(server))
        client.send(get)
        _ = try await server?.verdict()
        server = nil
        #expect(client.receiveToEnd().end != .silence)
    }

    @Test func `a script without hosts or with one twice is refused`() async {
        for hosts in [[], ["a.test", "a.test"]] {
            await #expect(throws: ScriptedServerError.self) {
                _ = try await ScriptedServer.start(script: Script(hosts: hosts))
            }
        }
    }
}
