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
            #expect(try answer("nonsense\r\n\r\n", port: port).hasPrefix("HTTP/1.1 400 "))
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
        #expect(error?.description.contains("cannot listen on 127.0.0.1 port \(port)") == true)
        await control.stop()
    }
}
