import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct RouteTests {
    private func shared(_ route: Route) -> Route {
        var route = route
        route.exchange.isShared = true
        return route
    }

    @Test("The order of the file is the priority")
    func order() throws {
        let script = Script(routes: [
            route("GET", "/items/special", Reply(body: .text("special"))),
            route("GET", "/items/{id}", Reply(body: .text("one"))),
            route("GET", "/items*", Reply(body: .text("all"))),
        ])
        try ServerPlay.run(script) { play in
            play.connect()
            try play.book.check("connected", true)
            for (target, body) in [
                ("/items/special", "special"), ("/items/7", "one"), ("/items/7/x", "all"), ("/items", "all"),
            ] {
                play.ask("GET \(target)")
                #expect(play.body() == body)
            }
        }
    }

    @Test("HEAD is answered from a GET route, without the body")
    func head() throws {
        try ServerPlay.run(Script(routes: [route("GET", "/a", Reply(body: .text("hello")))])) { play in
            play.connect()
            try play.book.check("connected", true)
            play.ask("HEAD /a")
            let wire = play.wire()
            #expect(
                wire.hasPrefix("HTTP/1.1 200 OK\r\n") && wire.contains("Content-Length: 5\r\n")
                    && wire.hasSuffix("\r\n\r\n"))
            play.ask("HEAD /b")
            #expect(play.wire().hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test("Unless a route says something of HEAD")
    func ownHead() throws {
        let routes = [route("GET", "/a", Reply(body: .text("hello"))), route("HEAD", "/b", Reply(status: 204))]
        try ServerPlay.run(Script(routes: routes)) { play in
            play.connect()
            try play.book.check("connected", true)
            play.ask("HEAD /b")
            #expect(play.wire().hasPrefix("HTTP/1.1 204"))
            play.ask("HEAD /a")
            #expect(play.wire().hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test("Connections count by their first request of a round, exchanges on their connection")
    func numbers() throws {
        func numbered(_ connection: Int, _ exchange: Int) -> Route {
            var found = route("GET", "/", Reply(body: .text("\(connection)/\(exchange)")))
            (found.exchange.request.connection, found.exchange.request.exchange) = (connection, exchange)
            return found
        }
        try ServerPlay.run(Script(routes: [numbered(1, 1), numbered(1, 2), numbered(2, 1)])) { play in
            play.connect(0)
            play.connect(1)
            try play.book.check("connected", true)
            play.ask("GET /", on: 1)
            #expect(play.body(1) == "1/1")
            play.ask("GET /", on: 0)
            #expect(play.body(0) == "2/1")
            play.ask("GET /", on: 1)
            #expect(play.body(1) == "1/2")
        }
    }

    // MARK: - CORS

    @Test("A shared route says so to a page of another origin, and only to one")
    func crossOrigin() throws {
        let fields = Fields([.init("X-Cost", "5")])
        let script = Script(routes: [
            shared(route("GET", "/a", Reply(fields: fields, body: .text("hi")))), route("GET", "/b", Reply()),
        ])
        try ServerPlay.run(script) { play in
            play.connect()
            try play.book.check("connected", true)
            play.ask("GET /a", "Origin: http://page.test")
            let wire = play.wire()
            for line in [
                "Access-Control-Allow-Origin: http://page.test", "Access-Control-Allow-Credentials: true",
                "Access-Control-Expose-Headers: X-Cost, Date, Content-Length", "Vary: Origin",
            ] { #expect(wire.contains(line + "\r\n"), "\(line)") }
            play.ask("GET /a")
            #expect(!play.wire().contains("Access-Control"))
            play.ask("GET /b", "Origin: http://page.test")
            #expect(!play.wire().contains("Access-Control"))
        }
    }

    @Test("A preflight is answered for a shared route, unless the script has an answer itself")
    func preflight() throws {
        let script = Script(routes: [shared(route("PUT", "/a", Reply())), route("OPTIONS", "/b", Reply(status: 403))])
        try ServerPlay.run(script) { play in
            play.connect()
            try play.book.check("connected", true)
            let origin = "Origin: http://page.test"
            play.ask(
                "OPTIONS /a", origin, "Access-Control-Request-Method: PUT", "Access-Control-Request-Headers: x-a, x-b")
            let wire = play.wire()
            for line in [
                "HTTP/1.1 204 No Content", "Access-Control-Allow-Origin: http://page.test",
                "Access-Control-Allow-Methods: PUT",
                "Access-Control-Allow-Headers: x-a, x-b", "Access-Control-Max-Age: 600", "Vary: Origin",
            ] { #expect(wire.contains(line + "\r\n"), "\(line)") }
            play.ask("OPTIONS /b", origin, "Access-Control-Request-Method: PUT")
            #expect(play.wire().hasPrefix("HTTP/1.1 403"))
            play.ask("OPTIONS /a", origin, "Access-Control-Request-Method: DELETE")
            #expect(play.wire().hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test("A route may keep its answers from other pages, and a HEAD is asked about as its GET")
    func notShared() throws {
        var closed = route("GET", "/a", Reply())
        closed.exchange.isShared = false
        var script = Script(routes: [closed, route("GET", "/b", Reply()), route("PUT", "/a", Reply())])
        script.isShared = true
        let origin = "Origin: http://page.test"
        try ServerPlay.run(script) { play in
            for (peer, (method, path, status)) in [
                ("GET", "/a", "404"), ("HEAD", "/a", "404"), ("PUT", "/a", "204"), ("HEAD", "/b", "204"),
                ("GET", "/none", "204"),
            ].enumerated() {
                play.connect(peer)
                play.ask("OPTIONS \(path)", origin, "Access-Control-Request-Method: \(method)", on: peer)
                try play.book.check("\(method) \(path)", play.wire(peer).hasPrefix("HTTP/1.1 \(status)"))
            }
            play.connect(9)
            play.ask("GET /a", origin, on: 9)
            try play.book.check("own", play.wire(9).contains("Access-Control"), is: false)
            play.ask("GET /b", origin, on: 9)
            try play.book.check("shared", play.wire(9).contains("Access-Control-Allow-Origin: http://page.test"))
        }
        try ServerPlay.run(Script(routes: [shared(route("GET", "/a", Reply()))])) { play in
            play.connect()
            play.ask("OPTIONS /a", origin, "Access-Control-Request-Method: HEAD")
            try play.book.check("HEAD", play.wire().contains("Access-Control-Allow-Methods: HEAD\r\n"))
        }
    }

    @Test("A whole script that is shared, with steps and what nothing else takes")
    func sharedScript() throws {
        var script = Script(steps: [step("GET", "/a")], otherwise: Reply(status: 404))
        script.isShared = true
        try ServerPlay.run(script) { play in
            play.connect()
            try play.book.check("connected", true)
            play.ask("OPTIONS /x", "Origin: null", "Access-Control-Request-Method: GET")
            #expect(play.wire().contains("Access-Control-Allow-Origin: null\r\n"))
            play.ask("GET /a", "Origin: null")
            #expect(play.wire().contains("Access-Control-Allow-Origin: null\r\n"))
            play.ask("GET /b", "Origin: null")
            #expect(play.wire().contains("Access-Control-Allow-Origin: null\r\n"))
        }
    }

    @Test("Of several routes that the body decides between, the one is told that came closest")
    func closestBody() throws {
        func route(_ rule: RequestMatch.BodyRule, _ line: Int) -> Route {
            var match = RequestMatch("POST", "/a")
            match.body = rule
            let mark = SourceMark(file: "s.yaml", line: line, column: 5)
            return Route(Exchange(match, reply: Reply()), mark: mark)
        }
        func object(_ members: String...) -> JSONValue {
            .object(members.map { JSONValue.Member($0, .text("say \"x\"")) })
        }
        let script = Script(routes: [
            route(.json(object("a", "b")), 1), route(.json(object("c")), 2), route(.contains("never"), 3),
        ])
        try ServerPlay.run(script) { play in
            play.connect()
            play.post("/a", #"{"c": "x"}"#)
            let wanted = """
                POST /a on connection #0 has the wrong body
                closest: s.yaml:2:5
                  body.c: wanted "say \\"x\\"", got "x"
                then: the route POST /a, s.yaml:3:5
                  body: wanted "never" in it, got "{\\"c\\": \\"x\\"}"
                then: the route POST /a, s.yaml:1:5
                  body.a: wanted "say \\"x\\"", got none
                  body.b: wanted "say \\"x\\"", got none
                  body.c: wanted none, got "x"

                """
            try play.book.check("answer", play.body(), is: wanted)
        }
        try ServerPlay.run(Script(routes: [route(.contains("never"), 3)])) { play in
            play.connect()
            play.ask("POST /a", "Accept: application/json", "Content-Length: 0")
            try play.book.check("alone", play.body().contains(#""closest":[{"what":"the route POST /a","#))
        }
    }

    @Test("A page may read what an unexpected request gets, and a preflight names a method")
    func sharedRefusal() throws {
        var script = Script(routes: [route("GET", "/a", Reply())])
        script.isShared = true
        try ServerPlay.run(script) { play in
            play.connect()
            play.ask("GET /b", "Origin: null")
            let names = "Date, Content-Type, Content-Length, Connection"
            let refusal = play.wire()
            try play.book.check("404", refusal.contains("Access-Control-Expose-Headers: \(names)\r\n"))
            for (peer, method) in ["", "a b"].enumerated() {
                play.connect(peer + 1)
                play.ask("OPTIONS /a", "Origin: null", "Access-Control-Request-Method: \(method)", on: peer + 1)
                try play.book.check(method, play.wire(peer + 1).hasPrefix("HTTP/1.1 404 "))
            }
        }
    }
}
