import HTTPBasics
import Testing

@testable import ServerScript

@Suite("Several scripts on a server")
struct ScriptMountTests {
    private func head(_ target: String, host: String = "a.test") -> ReceivedHead {
        ReceivedHead(method: "GET", target: target, fields: Fields([.init("Host", host)]))
    }

    @Test(
        "A path is one's own up to its end, or to a slash or a query behind it",
        arguments: [
            ("/users", "/"), ("/users/7?x", "/7?x"), ("/users?x=1", "/?x=1"), ("/usersx", nil), ("/user", nil),
            ("/", nil),
        ])
    func prefix(target: String, seen: String?) {
        #expect(ScriptMount(.prefix("/users"), Script()).target(of: head(target)) == seen)
    }

    @Test(
        "A host is named in any letters, with a port or without",
        arguments: [("a.test", true), ("A.Test:80", true), ("b.test", false), ("a.test.x", false), ("[::1]", false)])
    func host(field: String, isMeant: Bool) {
        #expect((ScriptMount(.host("a.test"), Script()).target(of: head("/x", host: field)) == "/x") == isMeant)
        #expect(ScriptMount(.host("[::1]"), Script()).target(of: head("/x", host: "[::1]:80")) == "/x")
    }

    @Test("What needs listeners of its own cannot be one among several")
    func objections() {
        #expect(ScriptMount.objection(to: Script()) == nil)
        #expect(ScriptMount.objection(to: Script(hosts: ["a.test", "b.test"])) == "it has more than one host")
        var secure = Script()
        secure.tls["a.test"] = HostTLS()
        #expect(ScriptMount.objection(to: secure) == "its host speaks TLS")
    }

    private func answering(_ text: String) -> Script {
        Script(hosts: ["x.test"], routes: [Route(Exchange(RequestMatch("GET", "/7"), reply: Reply(body: .text(text))))])
    }

    @Test("Each is asked where it is, with scopes of its own, and replaced by itself")
    func played() throws {
        let mounts = [
            ScriptMount(.prefix("/a"), answering("a of $origin")), ScriptMount(.prefix("/a/b"), answering("b")),
            ScriptMount(.host("c.test"), answering("c")),
        ]
        let origins = ["a.test": "http://127.0.0.1:80"]
        try ServerPlay.run(Script(), origins: origins, repeats: true, hasScopes: true, mounts: mounts) { play in
            func check(_ target: String, host: String = "a", _ text: String) throws {
                play.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                try play.book.check(target, play.body(), is: text)
            }
            play.connect()
            try check("/a/7", "a of http://127.0.0.1:80/a")
            try check("/a/b/7", "b")
            try check("/7", host: "c.test:80", "c")
            try check("/scope:n/a/7", "a of http://127.0.0.1:80/a")
            play.feed(.order(.replace(answering("new")), scope: "/a"))
            try check("/a/7", "new")
            try check("/scope:n/a/7", "new")
            try check("/scope:m/a/7", "new")
            try check("/a/b/7", "b")
            let scopes = play.actions().filter { $0.hasSuffix("opened") }
            try play.book.check("scopes", scopes, is: ["scope /a:n opened", "scope /a:m opened"])
        }
    }

    @Test("A request at no place of any is a violation of the root")
    func nowhere() throws {
        let mounts = [ScriptMount(.prefix("/a"), answering("a"))]
        try ServerPlay.run(Script(), repeats: true, hasScopes: true, mounts: mounts) { play in
            play.connect()
            play.ask("GET /7")
            try play.book.check("answer", play.wire().hasPrefix("HTTP/1.1 404 "), is: true)
        }
    }

    @Test("A script that is put into a scope of one of them has its URL")
    func replacedInScope() throws {
        let mounts = [ScriptMount(.prefix("/a"), answering("old"))]
        let origins = ["a.test": "http://127.0.0.1:80"]
        try ServerPlay.run(Script(), origins: origins, repeats: true, hasScopes: true, mounts: mounts) { play in
            play.connect()
            play.feed(.order(.replace(answering("new of $origin")), scope: "/a:n"))
            play.ask("GET /scope:n/a/7")
            try play.book.check("its own", play.body(), is: "new of http://127.0.0.1:80/a")
            play.ask("GET /a/7")
            try play.book.check("only there", play.body(), is: "old")
            let places = ["/a", "/a:m", "m", "/b"].filter(play.machine.hasPlace)
            try play.book.check("places", places, is: ["/a", "/a:m", "m"])
        }
    }

    @Test("Without a script of its own a server reads strictly, if one of them wants it")
    func reading() {
        var lenient = ScriptMount(.prefix("/a"), Script())
        lenient.script.reading = .lenient
        let strict = ScriptMount(.prefix("/b"), Script())
        #expect(ScriptMount.reading(of: []) == .lenient && ScriptMount.reading(of: [lenient]) == .lenient)
        #expect(ScriptMount.reading(of: [strict]) == .strict && ScriptMount.reading(of: [lenient, strict]) == .strict)
    }
}
