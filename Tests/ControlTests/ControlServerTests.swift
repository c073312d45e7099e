import Foundation
import ScriptedServer
import ServerScript
import TestSupport
import Testing

@testable import Control

@Suite("The control interface over sockets", .endsInTime, .serialized)
struct ControlServerTests {
    private func with(_ limits: ControlLimits = ControlLimits(), _ body: (Int) throws -> Void) async throws {
        let script = Script(routes: [Route(Exchange(RequestMatch("GET", "/a"), reply: Reply()))])
        let server = try await ScriptedServer.start(script: script, rounds: .many, hasScopes: true)
        let control = try await ControlServer.start(server, bind: "127.0.0.1", port: 0, limits: limits)
        let port = try #require(URL(string: control.url)?.port)
        try body(port)
        await control.stop()
    }

    private func answer(_ text: String, port: Int) throws -> String {
        let client = try RawSocket(port: port)
        client.send(text)
        client.finish()
        return String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
    }

    @Test func `requests in one piece are answered in order on one connection`() async throws {
        try await with { port throws in
            let paths = ["/ready", "/nothing", "/openapi.json"]
            let text = paths.map { "GET \($0) HTTP/1.1\r\nHost: localhost:1\r\n\r\n" }.joined()
            let client = try RawSocket(port: port)
            client.send(text)
            var statuses: [String] = []
            for _ in paths {
                let head = String(decoding: client.receiveHead(), as: UTF8.self)
                statuses.append(String(head.dropFirst(9).prefix(3)))
                let length = head.firstMatch(of: /content-length: ([0-9]+)/.ignoresCase()).flatMap { Int($0.1) }
                _ = client.receive(length ?? 0)
            }
            #expect(statuses == ["200", "404", "200"])
        }
    }

    @Test func `a body over the bound, no HTTP, and a page in a browser are refused`() async throws {
        try await with { port throws in
            let large = "PUT /script HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048577\r\n\r\n"
            #expect(try answer(large, port: port).hasPrefix("HTTP/1.1 413 "))
            #expect(try answer("GET nonsense\r\n\r\n", port: port).hasPrefix("HTTP/1.1 400 "))
            let page = "POST /reset HTTP/1.1\r\nHost: a\r\nOrigin: http://evil.test\r\nContent-Length: 0\r\n\r\n"
            #expect(try answer(page, port: port).hasPrefix("HTTP/1.1 403 "))
            let named = "GET /journal HTTP/1.1\r\nHost: evil.test:8080\r\n\r\n"
            #expect(try answer(named, port: port).hasPrefix("HTTP/1.1 403 "))
            let own = ["127.0.0.1:80", "localhost", "LOCALHOST:1", "[::1]:80", nil]
            #expect(
                own.allSatisfy(ControlHandler.isOwn) && !["", "a", "127.0.0.1.x"].contains(where: ControlHandler.isOwn))
        }
    }

    @Test func `a port that is taken says so`() async throws {
        let server = try await ScriptedServer.start { $0.get("/a", reply: "a") }
        let control = try await ControlServer.start(server, bind: "127.0.0.1", port: 0)
        let port = try #require(URL(string: control.url)?.port)
        let error = await #expect(throws: ScriptedServerError.self) {
            try await ControlServer.start(server, bind: "127.0.0.1", port: port)
        }
        let wanted = "the control interface cannot listen on 127.0.0.1 port \(port): Address already in use"
        #expect(error?.description == wanted)
        await control.stop()
    }

    @Test func `who waits to be told so sends the body then, and one that is too large not at all`() async throws {
        try await with { port throws in
            let text = "routes: [{request: GET /b, reply: {body: b}}]"
            func put(_ length: Int) -> String {
                "PUT /script HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\nContent-Length: \(length)\r\n\r\n"
            }
            let client = try RawSocket(port: port)
            client.send(put(text.utf8.count))
            #expect(String(decoding: client.receiveHead(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
            client.send(text)
            #expect(String(decoding: client.receiveHead(), as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
            let large = try RawSocket(port: port)
            large.send(put(1 << 21))
            #expect(String(decoding: large.receiveHead(), as: UTF8.self).hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test func `what HTTP itself has against a request is told as all else`() async throws {
        try await with { port throws in
            let chunks = "PUT /script HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n"
            for (text, status) in [
                ("FROB / HTTP/1.1\r\nHost: localhost\r\n\r\n", 501), ("GET nonsense\r\n\r\n", 400),
                (chunks + String(repeating: "x", count: 0x100001), 413),
                ("DELETE /journal HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 405),
            ] {
                let answer = try answer(text, port: port)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
                #expect(answer.contains("\r\nContent-Type: application/problem+json\r\n"))
                #expect(answer.hasSuffix("\"type\":\"about:blank\"}\n"))
                #expect(answer.contains("\r\nAllow: GET, HEAD\r\n") == (status == 405))
            }
        }
    }

    @Test func `a request has one Host, but for HTTP/1.0, and a whole URL counts in its place`() async throws {
        try await with { port throws in
            for (request, status) in [
                ("GET /ready HTTP/1.1\r\n", 400), ("GET /ready HTTP/1.0\r\n", 200),
                ("GET /ready HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n", 400),
                ("GET http://localhost:1/ready HTTP/1.1\r\nHost: evil.test\r\n", 200),
                ("GET http://evil.test/ready HTTP/1.1\r\nHost: localhost\r\n", 403),
                ("GET http://localhost/ready HTTP/1.1\r\n", 400),
            ] {
                #expect(try answer(request + "\r\n", port: port).hasPrefix("HTTP/1.1 \(status) "), "\(request)")
            }
        }
    }

    @Test func `requests in one piece are all answered when the client closes its side behind them`() async throws {
        try await with { port throws in
            let texts = ["/ready", "/scopes", "/journal"].map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
            #expect(try answer(texts.joined(), port: port).components(separatedBy: "HTTP/1.1 200 ").count == 4)
        }
    }

    @Test func `a wait ends with its client`() async throws {
        try await with { port throws in
            func wait(_ timeout: Int) -> String {
                let body = "{\"timeout\": \(timeout)}"
                return "POST /wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            }
            // So many at one time are refused; sixteen times as many, one after another, are not.
            for _ in 0..<16 {
                let clients = try (0..<32).map { _ in try RawSocket(port: port) }
                for client in clients { client.send(wait(300_000)) }
                for client in clients { client.finish() }
                for client in clients {
                    let end = String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
                    #expect(end.hasPrefix("HTTP/1.1 408 ") && end.contains("\"its client closed its side before"))
                }
            }
            #expect(try answer(wait(0), port: port).hasPrefix("HTTP/1.1 408 "))
        }
    }

    @Test func `an answer reaches a client whole that has closed its side and reads late`() async throws {
        let server = try await ScriptedServer.start { $0.route("GET", "/{name}", reply: .status(204)) }
        let control = try await ControlServer.start(server, bind: "127.0.0.1", port: 0)
        let port = try #require(URL(string: control.url)?.port)
        let asking = try RawSocket(port: server.port)
        let long = String(repeating: "x", count: 4096)
        for _ in 0..<400 {
            asking.send("GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(String(decoding: asking.receiveHead(), as: UTF8.self).hasPrefix("HTTP/1.1 204 "))
        }
        let client = try RawSocket(port: port)
        client.useSmallBuffers()
        client.send("GET /journal HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.finish()
        #expect(client.hasNews(within: 10_000))
        // The interface has long done what it wants to when another client has had its answer.
        #expect(try answer("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port).hasPrefix("HTTP/1.1 200 "))
        let head = String(decoding: client.receiveHead(), as: UTF8.self)
        let length = try #require(head.firstMatch(of: /content-length: ([0-9]+)/.ignoresCase()).flatMap { Int($0.1) })
        #expect(length > 1_000_000)
        #expect(client.receiveToEnd().bytes.count == length)
        await control.stop()
    }

    @Test func `a wait ends with its client though the client has asked for more behind it`() async throws {
        try await with { port throws in
            let body = #"{"timeout": 300000}"#
            let wait = "POST /wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            let answers = try answer(wait + "GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n" + wait, port: port)
            let statuses = answers.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(statuses == ["408", "200", "408"])
        }
    }

    @Test(arguments: [
        "GET /ready HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c", "CONNECT a.test:80 HTTP/1.1\r\nX: y",
    ])
    func `who offers to speak something else is answered once`(head: String) async throws {
        try await with { port throws in
            let client = try RawSocket(port: port)
            client.send(head + "\r\nHost: localhost\r\n\r\nGET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
            #expect(answer.lowercased().contains("connection: close\r\n"))
        }
    }
}
