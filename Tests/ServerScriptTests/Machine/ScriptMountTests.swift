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
        #expect(ScriptMount.objection(to: Script(), at: "/a") == nil)
        let two = Script(hosts: ["a.test", "b.test"])
        #expect(ScriptMount.objection(to: two, at: "/a") == "it has more than one host")
        var secure = Script()
        secure.tls["a.test"] = HostTLS()
        #expect(ScriptMount.objection(to: secure, at: "//:80") == "its host speaks TLS")
    }

    @Test("What happens to a connection before its first request can be served at a port alone")
    func freshConnections() {
        let get = Step(.exchange(Exchange(RequestMatch("GET", "/a"))), lane: "A")
        let mark = SourceMark(file: "a.yaml", line: 3, column: 5)
        func objections(_ steps: [Step]) -> [String?] {
            ["/a", "//a.test", "/a:n", "//:80:n", "//:80"].map {
                ScriptMount.objection(to: Script(steps: steps), at: $0)
            }
        }
        let told = "a.yaml:3:5: this step is about a connection before its first request"
        for action in [Step.Action.accept(nil), .read(bytes: 1), .write([1]), .close(.fin)] {
            let early = Step(action, lane: "B", mark: mark)
            #expect(objections([get, early]) == [told, told, told, told, nil])
        }
        #expect(objections([get, Step(.accept(nil), lane: "A", mark: mark)]).first == told)
        #expect(objections([get, Step(.write([1]), lane: "A"), Step(.close(.fin), lane: "A")]).first == .some(nil))
        #expect(objections([Step(.accept(nil), times: 0, mark: mark), get]).first == .some(nil))
        let behind = [
            Step(.exchange(Exchange(RequestMatch("GET", "/a")))), Step(.close(.fin)), Step(.write([1]), mark: mark),
        ]
        #expect(objections(behind).first == told)
    }

    @Test(
        "A scope is one of its file's",
        arguments: [
            ("", ""), ("n", ""), ("/a", "/a"), ("/a/b:n", "/a/b"), ("//c.test", "//c.test"), ("//c.test:n", "//c.test"),
            ("//:80", "//:80"), ("//:80:n", "//:80"),
        ])
    func labels(scope: String, label: String) { #expect(ScriptMount.label(of: scope) == label) }

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

    @Test("A request at no file's place is told which places there are, but not at a file that has nothing for it")
    func places() throws {
        let mounts = [
            ScriptMount(.prefix("/b"), Script()), ScriptMount(.prefix("/a"), answering("a")),
            ScriptMount(.host("c.test"), Script()), ScriptMount(.port(81), Script()),
        ]
        func check(_ target: String, _ mounts: [ScriptMount], _ end: String) throws {
            try ServerPlay.run(Script(), repeats: true, hasScopes: true, mounts: mounts) { play in
                play.connect()
                play.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
                let body = play.body()
                try play.book.check("\(target): \(body)", body.hasSuffix(" matches nothing: \(end)"))
            }
        }
        let list = "no file is there, but at /a, /b, Host: c.test, port 81\n"
        try check("/7", mounts, list)
        try check("/scope:n/7", mounts, list)
        try check("/b/7", mounts, "the script has no step and no route\n")
        let many = (10..<32).map { ScriptMount(.prefix("/\($0)"), Script()) }
        let told = (10..<30).map { "/\($0)" }.joined(separator: ", ")
        try check("/7", many, "no file is there, but at \(told) and 2 more\n")
    }

    @Test("One that has a port is asked there and nowhere else, from the moment a connection comes")
    func port() throws {
        var greeting = answering("p of $origin")
        greeting.steps = [Step(.write(Array("hello ".utf8)))]
        let mounts = [
            ScriptMount(.port(8081), greeting), ScriptMount(.port(80), answering("q")),
            ScriptMount(.prefix("/a"), answering("a")),
        ]
        let origins = ["a.test": "http://127.0.0.1:80"]
        try ServerPlay.run(Script(), origins: origins, repeats: true, hasScopes: true, mounts: mounts) { play in
            play.connect(0, host: "//:8081")
            try play.book.check("said first", play.wire(0), is: "hello ")
            play.send("GET /7 HTTP/1.1\r\nHost: x\r\n\r\n")
            try play.book.check("its own", play.body(), is: "p of http://127.0.0.1:8081")
            play.send("GET /a/7 HTTP/1.1\r\nHost: x\r\n\r\n")
            try play.book.check("not another's path", play.wire().hasPrefix("HTTP/1.1 404 "), is: true)
            play.connect(2, host: "//:80")
            play.send("GET /scope:n/7 HTTP/1.1\r\nHost: x\r\n\r\n", on: 2)
            try play.book.check("a scope there", play.body(2), is: "q")
            let scopes = play.actions().filter { $0.hasSuffix("opened") }
            try play.book.check("scopes", scopes, is: ["scope //:80:n opened"])
            play.connect(1)
            play.send("GET /7 HTTP/1.1\r\nHost: x:8081\r\n\r\n", on: 1)
            try play.book.check("not elsewhere", play.wire(1).hasPrefix("HTTP/1.1 404 "), is: true)
        }
    }

    @Test("Connections of other ports stand for no lane of one that has its own")
    func lanesOfPort() throws {
        var script = Script(hosts: ["x.test"])
        script.steps = [
            Step(.exchange(Exchange(RequestMatch("GET", "/7"), reply: Reply())), lane: "A"),
            Step(.accept(Fault(at: .accept, do: .reset)), lane: "B"),
        ]
        let mounts = [ScriptMount(.port(8081), script)]
        try ServerPlay.run(Script(), repeats: true, hasScopes: true, mounts: mounts) { play in
            play.connect(0)
            play.connect(1, host: "//:8081")
            play.send("GET /7 HTTP/1.1\r\nHost: x\r\n\r\n", on: 1)
            try play.book.check("answer", play.wire(1).hasPrefix("HTTP/1.1 200 "), is: true)
        }
        #expect(ScriptMount.hasOwnConnections("//:8081") && !ScriptMount.hasOwnConnections("//:8081:n"))
        #expect(!ScriptMount.hasOwnConnections("//a.test") && !ScriptMount.hasOwnConnections("/a"))
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
        let apart = ScriptMount(.port(1), Script())
        #expect(ScriptMount.reading(of: [lenient, apart]) == .lenient)
        #expect(ScriptMount.reading(of: [strict]) == .strict && ScriptMount.reading(of: [lenient, strict]) == .strict)
    }
}
