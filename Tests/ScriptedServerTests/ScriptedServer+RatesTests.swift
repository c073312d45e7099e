import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

/// Rates and chances on the wire. Only lower bounds are asserted: a busy machine makes everything late, never early.
@Suite(.endsInTime) struct RateWireTests {
    private func client(of server: ScriptedServer) throws -> RawSocket {
        let address = try #require(server.addresses["a.test"])
        return try RawSocket(port: address.port, ip: address.ip)
    }

    @Test func `an answer is sent no faster than its rate`() async throws {
        let server = try await ScriptedServer.start {
            $0.get("/a", reply: ServerReply.ok(.counter(1000)).sending(bytesPerSecond: 10_000))
        }
        let client = try client(of: server)
        let begun = ContinuousClock.now
        client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(!client.receiveHead().isEmpty)
        #expect(client.receive(500).count == 500)
        #expect(ContinuousClock.now - begun >= .milliseconds(35))
        #expect(client.receive(500).count == 500)
        #expect(ContinuousClock.now - begun >= .milliseconds(85))
        try await server.stop()
    }

    @Test func `a request is read no faster than its rate`() async throws {
        let server = try await ScriptedServer.start {
            $0.post("/a", reply: ServerReply.ok("x").reading(bytesPerSecond: 10_000))
        }
        let client = try client(of: server)
        let begun = ContinuousClock.now
        client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
        client.send([UInt8](repeating: 0x78, count: 1000))
        #expect(!client.receiveHead().isEmpty)
        #expect(ContinuousClock.now - begun >= .milliseconds(100))
        let verdict = try await server.stop()
        #expect(verdict.requests.first?.bodyCount == 1000)
    }

    @Test func `a server that reads slowly holds the client back`() async throws {
        let server = try await ScriptedServer.start {
            $0.post("/a", reply: ServerReply.ok("x").reading(bytesPerSecond: 1000))
        }
        let client = try client(of: server)
        client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n")
        // No system buffers this much for a server that does not read.
        #expect(client.sendWithoutWaiting([UInt8](repeating: 0x78, count: 100_000_000)) < 50_000_000)
        try await server.stop()
    }

    @Test func `a fault with a probability hits the same requests for the same seed`() async throws {
        let first = try await hits(seed: 7)
        #expect(Set(first) == [true, false])
        #expect(try await hits(seed: 7) == first)
        #expect(try await hits(seed: 8) != first)
    }

    /// Which of twenty requests are reset.
    private func hits(seed: UInt64) async throws -> [Bool] {
        let server = try await ScriptedServer.start(seed: seed) {
            $0.route("GET", "/a", reply: ServerReply.ok("x").reset(at: .request).sometimes(percent: 50))
        }
        let hits = try (0..<20).map { _ in
            let client = try client(of: server)
            client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            return client.receiveToEnd().end == .reset
        }
        try await server.stop()
        return hits
    }
}
