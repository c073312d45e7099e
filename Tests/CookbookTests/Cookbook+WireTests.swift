import HTTPBasics
import ScriptedServer
import ServerScript
import TestSupport
import Testing

@testable import Cookbook

/// What the cookbook promises is on the wire: raw sockets on one side, a whole server on the other.
@Suite(.serialized, .endsInTime) struct CookbookWireTests {
    private func play(
        _ script: Script = Script(), _ body: (RawSocket, ScriptedServer) async throws -> Void
    ) async throws -> Verdict {
        let server = try await ScriptedServer.start(script: script, improviser: Cookbook())
        let address = try #require(server.addresses["a.test"])
        try await body(RawSocket(port: address.port, ip: address.ip), server)
        return try await server.stop()
    }

    /// All that comes, until the end.
    private func all(
        _ target: String, method: String = "GET", _ more: String = ""
    ) async throws -> (String, RawSocket.End) {
        var result = ("", RawSocket.End.silence)
        _ = try await play { socket, _ in
            socket.send("\(method) \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(more)\r\n")
            let (bytes, end) = socket.receiveToEnd(patience: 3000)
            result = (String(decoding: bytes, as: UTF8.self), end)
        }
        return result
    }

    private func body(_ text: String) -> Substring {
        text.firstRange(of: "\r\n\r\n").map { text[$0.upperBound...] } ?? ""
    }

    @Test("A request is sent back, with the address it came from")
    func echo() async throws {
        let (text, end) = try await all("/post", method: "POST", "Content-Length: 3\r\n\r\nabc")
        #expect(text.contains("\"data\": \"abc\"") && text.contains("\"origin\": \"127.0.0.1\"") && end == .fin)
    }

    @Test("Cut after 500 bytes, with RST and with FIN", arguments: [("reset", RawSocket.End.reset), ("fin", .fin)])
    func cut(effect: String, wanted: RawSocket.End) async throws {
        let (text, end) = try await all("/cut/body+500/\(effect)?size=1MiB")
        #expect(text.contains("Content-Length: 1048576") && end == wanted)
        if wanted == .fin { #expect(body(text).utf8.count == 500) }
    }

    @Test("A rate and a cut add up")
    func composed() async throws {
        let start = ContinuousClock.now
        let (text, end) = try await all("/rate/1000/cut/body+500/fin/bytes/4096?seed=1")
        #expect(end == .fin && text.utf8.count > 500)
        #expect(ContinuousClock.now - start >= .milliseconds(490))
    }

    @Test("Nothing after the head, and then nothing for ever")
    func stall() async throws {
        _ = try await play { socket, _ in
            socket.send("GET /stall/head-end HTTP/1.1\r\nHost: a\r\n\r\n")
            let (bytes, end) = socket.receiveToEnd(patience: 300)
            #expect(bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) && end == .silence)
        }
    }

    @Test("Garbage in place of an answer")
    func garbage() async throws {
        let (text, end) = try await all("/garbage/request/get")
        #expect(!text.hasPrefix("HTTP/") && !text.isEmpty && end == .fin)
    }

    @Test("Chunks, trailers, wrong lengths")
    func framing() async throws {
        let trailers = try await all("/trailers?X-Sum=1").0
        #expect(trailers.hasSuffix("0\r\nX-Sum: 1\r\n\r\n") && trailers.contains("Trailer: X-Sum\r\n"))
        let chunks = try await all("/chunked/5/base64/aGVsbG8gd29ybGQ=").0
        #expect(chunks.hasSuffix("\r\n\r\n5\r\nhello\r\n5\r\n worl\r\n1\r\nd\r\n0\r\n\r\n"))
        let long = try await all("/length/5000/robots.txt")
        #expect(long.0.contains("Content-Length: 5000\r\n") && body(long.0).utf8.count < 100 && long.1 == .fin)
        let lines = body(try await all("/stream/2").0)
        #expect(lines.split(separator: "\"id\": ").count == 3 && lines.hasSuffix("\r\n0\r\n\r\n"))
    }

    @Test("Ranges of a generated body")
    func ranges() async throws {
        let (text, _) = try await all("/body?size=1024GiB", "Range: bytes=1099511627768-\r\n")
        let range = "Content-Range: bytes 1099511627768-1099511627775/1099511627776\r\n"
        #expect(text.hasPrefix("HTTP/1.1 206 ") && text.contains(range))
        #expect(body(text).utf8.count == 8)
        let letters = try await all("/range/26", "Range: bytes=1-3\r\nIf-Range: \"range26\"\r\n").0
        #expect(body(letters) == "bcd")
        #expect(body(try await all("/range/26", "Range: bytes=1-3\r\nIf-Range: \"other\"\r\n").0).utf8.count == 26)
        #expect(try await all("/range/26", "Range: bytes=30-\r\n").0.hasPrefix("HTTP/1.1 416 "))
    }

    @Test("The first two fail, and another URL has its own count")
    func counting() async throws {
        _ = try await play { socket, _ in
            var codes: [String] = []
            for target in ["/get?id=1", "/get?id=1", "/get?id=2", "/get?id=1", "/get?id=2"] {
                socket.send("HEAD /first/2/fail/503\(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                codes.append(String(decoding: socket.receiveHead().dropFirst(9).prefix(3), as: UTF8.self))
            }
            #expect(codes == ["503", "503", "503", "200", "503"])
        }
    }

    @Test("Steps and routes come first, and what nobody takes is a violation")
    func behindScript() async throws {
        let script = Script(routes: [Route(Exchange(RequestMatch("GET", "/get"), reply: Reply(body: .text("mine"))))])
        let verdict = try await play(script) { socket, _ in
            socket.send("GET /get HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(socket.receiveHead().count > 0 && socket.receive(4) == Array("mine".utf8))
            socket.send("GET /zzzzz HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = String(decoding: socket.receiveToEnd().bytes, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 404 ") && text.contains("the cookbook has no such page either"))
        }
        #expect(!verdict.isFulfilled && verdict.violationCount == 1)
    }

    @Test("A fault that a request does not come to is noted, and no violation; passwords are not in the journal")
    func journal() async throws {
        let verdict = try await play { socket, server in
            socket.send("HEAD /cut/body+500/fin/get HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = socket.receiveHead()
            socket.send("GET /basic-auth/ann/s3cret HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = socket.receiveHead()
            let journal = server.journal.map { "\($0.kind)" }
            #expect(journal.contains { $0.contains("the fault at body+500 was never reached") })
            #expect(journal.contains { $0.contains("/basic-auth/ann/***") })
            #expect(!journal.contains { $0.contains("s3cret") })
        }
        #expect(verdict.isFulfilled)
    }

    @Test("A case is played in a scope of its own, and its verdict can be asked for")
    func cases() async throws {
        let redirect = Reply(status: 302, fields: Fields([Fields.Field("Location", "$origin/b")]))
        let script = Script(steps: [
            Step(.exchange(Exchange(RequestMatch("GET", "/a"), reply: redirect))),
            Step(.exchange(Exchange(RequestMatch("GET", "/b"), reply: Reply(status: 204)))),
        ])
        let cookbook = Cookbook(cases: CookbookCases([CookbookCase("topic/one", script: script)]))
        let server = try await ScriptedServer.start(
            script: Script(), rounds: .many, hasScopes: true, improviser: cookbook)
        let address = try #require(server.addresses["a.test"])
        let ask = { (line: String) in
            let socket = try RawSocket(port: address.port, ip: address.ip)
            socket.send("\(line) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            return String(decoding: socket.receiveToEnd().bytes, as: UTF8.self)
        }
        #expect(try ask("GET /case/topic/one/verdict").hasSuffix("untouched\n  nobody has asked for anything yet\n"))
        #expect(try ask("GET /scope:case.topic.one/a").contains("Location: \(server.url)/scope:case.topic.one/b\r\n"))
        #expect(try ask("GET /case/topic/one/verdict").hasSuffix("unfinished\n  did not happen: GET /b\n"))
        #expect(try ask("GET /scope:case.topic.one/b").hasPrefix("HTTP/1.1 204 "))
        #expect(try ask("GET /case/topic/one/verdict").hasSuffix("fulfilled\n"))
        #expect(try ask("POST /case/topic/one").hasPrefix("HTTP/1.1 200 "))
        #expect(try ask("GET /scope:case.topic.one/b").hasPrefix("HTTP/1.1 404 "))
        #expect(try ask("GET /case/topic/one/verdict").contains("failed\n  GET /b on connection"))
        #expect(try ask("GET /case/verdicts.xml").contains("tests=\"1\" failures=\"1\" skipped=\"0\""))
        try await server.stop()
    }

    @Test("The answer may come before the request's body is read")
    func early() async throws {
        let (text, _) = try await all("/read/none/status/413", method: "PUT", "Content-Length: 100000\r\n")
        #expect(text.hasPrefix("HTTP/1.1 413 "))
    }
}
