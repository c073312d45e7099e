import HTTPBasics
import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

/// What a client does that means no good: it gets an answer or its end, and the next one is served.
@Suite(.serialized, .endsInTime) struct HostileClientTests {
    private static let one = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    private func with(
        _ change: (inout ServerLimits) -> Void = { _ in }, _ body: (ScriptedServer) async throws -> Void
    ) async throws {
        var limits = ServerLimits()
        change(&limits)
        let script = Script(routes: [
            Route(Exchange(RequestMatch("GET", "/a"), reply: Reply())),
            Route(Exchange(RequestMatch("POST", "/in"), reply: Reply())),
        ])
        let server = try await ScriptedServer.start(script: script, rounds: .many, hasScopes: true, limits: limits)
        try await body(server)
        try await server.stop()
    }

    private func status(_ client: RawSocket) -> String {
        String(String(decoding: client.receiveHead(), as: UTF8.self).dropFirst(9).prefix(3))
    }

    private static let smuggled = "0\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func post(_ fields: String, _ body: String) -> String {
        "POST /in HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }

    static let shapes: [(name: String, text: String)] = [
        ("CL and TE", post("Content-Length: 5\r\nTransfer-Encoding: chunked", smuggled)),
        ("two lengths", post("Content-Length: 5\r\nContent-Length: 6", "123456")),
        ("a list of lengths", post("Content-Length: 5, 6", "123456")),
        ("a length with a sign", post("Content-Length: +5", "12345")),
        ("a length over 64 bits", post("Content-Length: 99999999999999999999", "12345")),
        ("chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n")),
        ("a coding of one's own", post("Transfer-Encoding: xchunked", "0\r\n\r\n")),
        ("space before the colon", post("Content-Length : 5", "12345")),
        ("a folded field", "GET /a HTTP/1.1\r\nHost: a\r\nX: 1\r\n folded\r\n\r\n"),
        ("bare LF", "GET /a HTTP/1.1\nHost: a\n\n"),
        ("a NUL in a field", "GET /a HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"),
        ("no Host", "GET /a HTTP/1.1\r\n\r\n"),
        ("two Hosts", "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        ("a chunk size over 64 bits", post("Transfer-Encoding: chunked", "FFFFFFFFFFFFFFFFF\r\n")),
        ("a chunk that is longer than it says", post("Transfer-Encoding: chunked", "3\r\nabcdef\r\n0\r\n\r\n")),
        (
            "a chunk extension without end",
            post("Transfer-Encoding: chunked", "5;a=" + String(repeating: "x", count: 100_000))
        ),
        (
            "trailers without end",
            post("Transfer-Encoding: chunked", "0\r\n" + String(repeating: "X: y\r\n", count: 20_000))
        ),
        ("a method without end", String(repeating: "G", count: 200_000)),
        ("a field without end", "GET /a HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 200_000)),
        ("fields without end", "GET /a HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 50_000)),
    ]

    /// What follows such a request is not read as another one.
    @Test func `a request that may be read in two ways, or has no end, is answered with 400 and nothing else`()
        async throws
    {
        try await with { server in
            for shape in Self.shapes {
                let client = try RawSocket(port: server.port)
                client.send(shape.text)
                let answer = String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(shape.name): \(answer.prefix(100))")
                #expect(answer.ranges(of: "HTTP/1.1 ").count == 1, "\(shape.name)")
                let next = try RawSocket(port: server.port)
                next.send(Self.one)
                #expect(status(next) == "200", "after \(shape.name)")
            }
            #expect(try await server.onLoop { $0.transport.count } < 50)
        }
    }

    @Test func `a head may be 60 KiB long, and have thousands of fields`() async throws {
        try await with { server in
            for fields in [
                "X: " + String(repeating: "a", count: 60 << 10) + "\r\n",
                (0..<9000).map { "X\($0 % 1000):\r\n" }.joined(),
            ] {
                let client = try RawSocket(port: server.port)
                client.send("GET /a HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
                #expect(status(client) == "200")
            }
        }
    }

    @Test func `heads that come byte by byte are ended in time, and others are served meanwhile`() async throws {
        try await with { limits in
            limits.idle = .seconds(1)
        } _: { server in
            let slow = try (0..<200).map { _ in try RawSocket(port: server.port) }
            for client in slow { client.send("GET /a HTTP/1.1\r\nHost: a\r\nX: ") }
            while let last = slow.last, !last.hasNews(within: 10) {
                for client in slow { client.send("x") }
                let other = try RawSocket(port: server.port)
                other.send(Self.one)
                #expect(status(other) == "200")
            }
            for client in slow { #expect(client.receiveToEnd().end != .silence) }
        }
    }

    @Test func `three hundred connections may stay idle, and one more than there is room for is closed`() async throws {
        try await with { limits in
            limits.connections = 300
        } _: { server in
            let idle = try (0..<300).map { _ in try RawSocket(port: server.port) }
            for client in idle { client.send(Self.one) }
            for client in idle { #expect(status(client) == "200") }
            #expect(try RawSocket(port: server.port).receiveToEnd().end != .silence)
            idle[7].send(Self.one)
            #expect(status(idle[7]) == "200")
        }
    }

    @Test func `the journal keeps as many entries as it is told`() async throws {
        try await with { limits in
            limits.journalRequests = 16
        } _: { server in
            let client = try RawSocket(port: server.port)
            for _ in 0..<100 {
                client.send(Self.one)
                #expect(status(client) == "200")
            }
            #expect(server.requests.count == 16)
            #expect(server.requestCount == 100)
        }
    }

    @Test func `there are as many scopes and waits as were allowed`() async throws {
        try await with { limits in
            limits.scopes = 3
            limits.waits = 1
        } _: { server in
            let client = try RawSocket(port: server.port)
            for number in 0..<10 {
                client.send("GET /scope:s\(number)/a HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(status(client) == "200")
            }
            #expect(try await server.scopes().count == 4)
            // One of two at the same time, however long the first takes to begin.
            var refused = 0
            while refused == 0 {
                async let first = server.waitForEvent(1000, in: "", atMost: .milliseconds(500)) { _ in true }
                let second = try await server.waitForEvent(1000, in: "", atMost: .milliseconds(500)) { _ in true }
                refused = [try await first, second].count { if case .refused = $0 { true } else { false } }
            }
            #expect(refused == 1)
        }
    }
}
