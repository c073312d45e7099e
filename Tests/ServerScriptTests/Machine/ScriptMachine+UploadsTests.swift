import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

/// BEHAVIOUR 1.I6
@Suite struct UploadsTests {
    private static func script(_ content: Content? = nil, otherwise: Reply? = nil) -> Script {
        let kept = Resumption.kept(UploadRule(below: "/u/", content: content))
        let routes = ["/in", "/u/*"].map { target in
            Route(Exchange(RequestMatch(nil, target), reply: Reply(body: .text("made")), resumable: kept))
        }
        return Script(routes: routes, otherwise: otherwise)
    }

    private static let version = "Upload-Draft-Interop-Version: 6"
    private static let last = "Upload-Complete: ?1"
    private static let create = "POST /in HTTP/1.1\r\nHost: a\r\n\(version)\r\n\(last)\r\nContent-Length: 6\r\n\r\n"

    private static func append(_ body: String, at offset: Int) -> String {
        "PATCH /u/1 HTTP/1.1\r\nHost: a\r\n\(version)\r\n\(last)\r\nContent-Type: application/partial-upload\r\n"
            + "Upload-Offset: \(offset)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// The connection is lost after two bytes of six.
    private static func lose(_ play: ServerPlay) throws {
        play.connect()
        play.send(create + "ab")
        let offer = play.wire()
        let line = "HTTP/1.1 104 Upload Resumption Supported\r\n"
        try play.book.check("104", offer, is: "\(line)\(version)\r\nLocation: /u/1\r\n\r\n")
        play.feed(.closed(PeerID(0)))
    }

    @Test func `what the server says by itself keeps to the rate of the script's answer`() throws {
        let kept = Resumption.kept(UploadRule(below: "/u/"))
        let reply = Reply(body: .text("made"), sendRate: 10)
        let script = Script(routes: [Route(Exchange(RequestMatch(nil, "/u/*"), reply: reply, resumable: kept))])
        try ServerPlay.run(script) { play in
            play.connect()
            play.send(Self.append("x", at: 0))
            let head = play.wire()
            try play.book.check("404", head.hasPrefix("HTTP/1.1 404 "))
            try play.book.check("no body yet", head.hasSuffix("\r\n\r\n"))
            try play.advance(.seconds(100))
            try play.book.check("then its text", !play.wire().isEmpty)
        }
    }

    @Test func `an upload goes on over another connection, and its end gets the script's answer`() throws {
        try ServerPlay.run(Self.script(.text("abcdef"))) { play in
            try Self.lose(play)
            play.connect(1)
            play.ask("HEAD /u/1", Self.version, on: 1)
            let told = play.wire(1)
            try play.book.check("status", told.hasPrefix("HTTP/1.1 204 No Content\r\n"))
            try play.book.check("offset", told.contains("\r\nUpload-Offset: 2\r\n"))
            play.send(Self.append("cdef", at: 2), on: 1)
            let answer = play.wire(1)
            try play.book.check("answer", answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\nmade"))
            try play.book.check("complete", answer.contains("\r\nUpload-Complete: ?1\r\n"))
            try play.book.check("journal", play.events().contains("1/1 uploaded /u/1 6"))
        }
    }

    @Test func `another content is a violation that says where`() throws {
        try ServerPlay.run(Self.script(.text("abcdef"))) { play in
            try Self.lose(play)
            play.connect(1)
            play.send(Self.append("cdXf", at: 2), on: 1)
            try play.book.check("where", play.wire(1).contains("body at byte 4: wanted \"ef\", got \"Xf\""))
            try play.book.check("violation", play.events().contains { $0.contains("violation") })
        }
    }

    @Test func `another content gets the answer to all else where there is one`() throws {
        try ServerPlay.run(Self.script(.text("abcdef"), otherwise: Reply(status: 422))) { play in
            play.connect()
            play.send(Self.create + "abcdeX")
            try play.book.check("answer", play.wire().contains("HTTP/1.1 422 "))
        }
    }

    @Test func `a conflict is answered, and the connection goes on`() throws {
        try ServerPlay.run(Self.script()) { play in
            try Self.lose(play)
            play.connect(1)
            play.send(Self.append("def", at: 3), on: 1)
            let answer = play.wire(1)
            try play.book.check("status", answer.hasPrefix("HTTP/1.1 409 Conflict\r\n"))
            try play.book.check("members", answer.contains("\"expected-offset\": 2, \"provided-offset\": 3}"))
            play.send(Self.append("cdef", at: 2), on: 1)
            try play.book.check("then", play.wire(1).hasPrefix("HTTP/1.1 200 OK\r\n"))
            try play.book.check("no violation", !play.events().contains { $0.contains("violation") })
        }
    }

    @Test func `a client of HTTP 1.0 gets no informational answer`() throws {
        try ServerPlay.run(Self.script()) { play in
            play.connect()
            play.send(Self.create.replacing("HTTP/1.1", with: "HTTP/1.0") + "abcdef")
            try play.book.check("first line", play.wire().hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test func `with the script the uploads begin anew`() throws {
        var script = Self.script()
        script.steps = [step("GET", "/")]
        try ServerPlay.run(script, repeats: true) { play in
            try Self.lose(play)
            play.connect(1)
            play.ask("GET /", on: 1)
            _ = play.wire(1)
            play.ask("HEAD /u/1", Self.version, on: 1)
            try play.book.check("gone", play.wire(1).hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test func `the answer for all of it may have words of its last request, and is shared with pages`() throws {
        let kept = Resumption.kept(UploadRule(below: "/u/"))
        let made = Reply(
            fields: Fields([.init("X-Offset", "$request.headers.Upload-Offset")]),
            body: .text("$request.method $path.id"))
        let routes = ["/in", "/u/{id}"].map { target in
            Route(Exchange(RequestMatch(nil, target), reply: made, resumable: kept, isShared: true))
        }
        try ServerPlay.run(Script(routes: routes)) { play in
            try Self.lose(play)
            play.connect(1)
            play.send(Self.append("cd", at: 1).replacing("Host: a", with: "Host: a\r\nOrigin: null"), on: 1)
            let conflict = play.wire(1)
            try play.book.check("conflict", conflict.hasPrefix("HTTP/1.1 409 "))
            try play.book.check("shared", conflict.contains("\r\nAccess-Control-Allow-Origin: null\r\n"))
            play.send(Self.append("cdef", at: 2).replacing("Host: a", with: "Host: a\r\nOrigin: null"), on: 1)
            let answer = play.wire(1)
            try play.book.check("words", answer.hasSuffix("\r\n\r\nPATCH 1") && answer.contains("\r\nX-Offset: 2\r\n"))
            try play.book.check("exposed", answer.contains("-Expose-Headers: X-Offset, Upload-Draft-Interop-Version, "))
            play.ask("OPTIONS /u/1", "Origin: null", "Access-Control-Request-Method: PATCH", on: 1)
            let preflight = play.wire(1)
            try play.book.check("preflight", preflight.contains("\r\nAccess-Control-Allow-Methods: PATCH\r\n"))
            try play.book.check("limits", preflight.contains("\r\nUpload-Limit: min-size=0\r\n"))
        }
    }

    @Test func `a client of one of several scripts is told the path as it has to ask`() throws {
        let mounts = [ScriptMount(.prefix("/m"), Self.script(.text("abcdef")))]
        try ServerPlay.run(Script(), hasScopes: true, mounts: mounts) { play in
            play.connect()
            play.send(Self.create.replacing("/in", with: "/m/in") + "ab")
            try play.book.check("104", play.wire().hasSuffix("\r\nLocation: /m/u/1\r\n\r\n"))
            play.feed(.closed(PeerID(0)))
            play.connect(1)
            play.send(Self.append("cdef", at: 2).replacing("/u/", with: "/m/u/"), on: 1)
            try play.book.check("answer", play.wire(1).hasSuffix("\r\n\r\nmade"))
        }
        let told = Exchange(RequestMatch("POST", "/"), resumable: .announced(at: "/up"))
        let moved = ScriptMount(.prefix("/m"), Script(routes: [Route(told)])).renamed(to: "a.test")
        #expect(moved.routes.map(\.exchange.resumable) == [.announced(at: "/m/up")])
    }
}
