import Foundation
import ScriptedServer
import ServerScript
import TestSupport
import Testing

@testable import Control

@Suite("Clients that hold connections of the control interface", .endsInTime, .serialized)
struct ControlPatienceTests {
    private let ready = "GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private func with(_ change: (inout ControlLimits) -> Void, _ body: (Int) throws -> Void) async throws {
        var limits = ControlLimits()
        change(&limits)
        let script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: Reply()))])
        let server = try await ScriptedServer.start(script: script, rounds: .many, hasScopes: true)
        let control = try await ControlServer.start(server, bind: "127.0.0.1", port: 0, limits: limits)
        try body(try #require(URL(string: control.url)?.port))
        await control.stop()
    }

    private func status(_ client: RawSocket) -> String {
        let head = String(decoding: client.receiveHead(), as: UTF8.self)
        let length = head.firstMatch(of: /content-length: ([0-9]+)/.ignoresCase()).flatMap { Int($0.1) }
        _ = client.receive(length ?? 0)
        return String(head.dropFirst(9).prefix(3))
    }

    @Test func `a request that is not whole in time ends its connection, however often a byte comes`() async throws {
        try await with { limits in
            limits.requestTime = .milliseconds(100)
        } _: { port throws in
            let slow = try RawSocket(port: port)
            slow.send("GET /ready HTTP/1.1\r\nHost: localhost\r\nX: ")
            while !slow.hasNews(within: 10) { slow.send("x") }
            #expect(slow.receiveToEnd().bytes.isEmpty)
            let body = try RawSocket(port: port)
            body.send("PUT /script HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nx")
            #expect(body.receiveToEnd().bytes.isEmpty)
        }
    }

    @Test func `an answer may take longer than its request, and so may what follows it`() async throws {
        try await with { limits in
            limits.requestTime = .milliseconds(100)
        } _: { port throws in
            let client = try RawSocket(port: port)
            let wait = #"{"path": "/never", "timeout": 400}"#
            let head = "POST /wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(wait.utf8.count)\r\n\r\n"
            client.send(head + wait + ready)
            #expect(status(client) == "408")
            #expect(status(client) == "200")
        }
    }

    @Test func `the oldest that waits for no answer makes room`() async throws {
        try await with { limits in
            limits.connections = 2
        } _: { port throws in
            let waiting = try RawSocket(port: port)
            let body = #"{"path": "/never", "timeout": 300000}"#
            waiting.send(
                "POST /wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
            let idle = try RawSocket(port: port)
            idle.send(ready)
            // By then the wait has been read, too.
            #expect(status(idle) == "200")
            idle.send("GET")
            var others: [RawSocket] = []
            for _ in 0..<200 {
                let other = try RawSocket(port: port)
                other.send(ready)
                #expect(status(other) == "200")
                others.append(other)
            }
            #expect(idle.receiveToEnd().bytes.isEmpty)
            #expect(!waiting.hasNews(within: 0))
        }
    }

    @Test(arguments: [
        "GET /ready HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 100_000) + "\r\n\r\n",
        "GET /ready HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "X: y\r\n", count: 300) + "\r\n",
        "GET /" + String(repeating: "a", count: 1_000_000), String(repeating: "A", count: 1_000_000),
        "GET /ready HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "X: y\r\n", count: 100_000),
    ])
    func `a head has bounds`(text: String) async throws {
        try await with { _ in
        } _: { port throws in
            let client = try RawSocket(port: port)
            client.send(text)
            let answer = String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
            // A method without an end is none that anybody knows.
            let statuses = ["400", "431", "501"]
            #expect(answer.isEmpty || statuses.contains { answer.hasPrefix("HTTP/1.1 \($0) ") }, "\(answer.prefix(99))")
            let next = try RawSocket(port: port)
            next.send(ready)
            #expect(status(next) == "200")
        }
    }
}
