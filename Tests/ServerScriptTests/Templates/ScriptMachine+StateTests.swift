import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct StateTests {
    private func route(_ line: String, _ reply: Reply, state: [StateRule] = [], changes: [StateChange] = []) -> Route {
        let words = line.split(separator: " ").map(String.init)
        var exchange = Exchange(RequestMatch(words[0], words[1]), reply: reply)
        exchange.request.state = state
        exchange.changes = changes
        return Route(exchange)
    }

    private func answers(_ routes: [Route], seed: UInt64 = 0, _ body: (ServerPlay) throws -> Void) throws {
        try ServerPlay.run(Script(routes: routes), seed: seed) { play in
            play.connect()
            try play.book.check("connected", true)
            try body(play)
        }
    }

    @Test("Words of the request in status, fields and body")
    func words() throws {
        var reply = Reply(
            fields: Fields([.init("X-Id", "<$path.id>"), .init("X-Fixed", "1")]),
            body: .text("$request.method $request.path $request.target q=$request.query.q h=$request.headers.X-A $$now")
        )
        reply.statusText = "$request.query.code"
        var made = route("GET /i/{id}", reply)
        made.exchange.request.query = []
        try answers([made]) { play in
            play.ask("GET /i/a%20b?q=1+2&code=418", "X-A: x", "X-A: y")
            let wire = play.wire()
            #expect(wire.hasPrefix("HTTP/1.1 418 ") && wire.contains("X-Id: <a b>\r\nX-Fixed: 1\r\n"))
            #expect(wire.hasSuffix("\r\n\r\nGET /i/a%20b /i/a%20b?q=1+2&code=418 q=1 2 h=x, y $now"))
            play.ask("GET /i/x?code=99")
            #expect(play.wire().hasPrefix("HTTP/1.1 500 "))
        }
    }

    @Test("What is not there is empty, and noted")
    func missing() throws {
        try answers([route("GET /", Reply(body: .text("[$request.query.q$request.json.a$state.x]")))]) { play in
            play.ask("GET /")
            #expect(play.body() == "[]")
            let notes = play.events().filter { $0.contains("noted") }
            #expect(
                notes == [
                    "0/0 noted nothing stands for $request.query.q", "0/0 noted nothing stands for $request.json.a",
                    "0/0 noted nothing stands for $state.x",
                ])
        }
    }

    @Test("A body's words: text, form and JSON")
    func bodies() throws {
        let json = #"{"echo":"$request.json.a.1","all":$request.json.a,"n":$request.json.n,"raw":"$request.body"}"#
        try answers([
            route("POST /json", Reply(body: .text(json))), route("POST /form", Reply(body: .text("$request.form.a"))),
        ]) { play in
            play.post("/json", #"{"a":[1,"x\"y"],"n":2.50}"#)
            #expect(
                play.body() == #"{"echo":"x\"y","all":[1,"x\"y"],"n":2.50,"raw":"{\"a\":[1,\"x\\\"y\"],\"n\":2.50}"}"#)
            play.post("/form", "b=1&a=two+words")
            #expect(play.body() == "two words")
        }
    }

    @Test("Nothing that a client sends breaks a line of the head")
    func injection() throws {
        let reply = Reply(fields: Fields([.init("X-Name", "$path.name")]))
        try answers([route("GET /{name}", reply)]) { play in
            play.ask("GET /a%0D%0ASet-Cookie:%20x%00")
            let wire = play.wire()
            #expect(wire.contains("X-Name: a  Set-Cookie: x \r\n") && !wire.contains("\nSet-Cookie"))
        }
    }

    @Test("Values and counters decide which route answers, and each change is seen by the next request")
    func transitions() throws {
        try answers([
            route(
                "POST /pay", Reply(body: .text("$count.payments")), state: [.init("order", .none)],
                changes: [.init("payments", .count), .init("order", .set(.init("paid by $request.headers.User")))]),
            route("POST /pay", Reply(status: 409, body: .text("$state.order")), state: [.init("order", .present)]),
            route(
                "GET /order", Reply(body: .text("shipped")),
                state: [.init("order", .equals(.init("paid by ann"))), .init("looks", .count(2...Int.max))]),
            route("GET /order", Reply(body: .text("look $count.looks")), changes: [.init("looks", .count)]),
            route("DELETE /order", Reply(status: 204), changes: [.init("order", .set(.init("")))]),
        ]) { play in
            play.ask("GET /order")
            #expect(play.body() == "look 1")
            play.ask("POST /pay", "User: ann")
            #expect(play.body() == "1")
            play.ask("POST /pay", "User: bob")
            #expect(play.body() == "paid by ann")
            play.ask("GET /order")
            #expect(play.body() == "look 2")
            play.ask("GET /order")
            #expect(play.body() == "shipped")
            play.ask("DELETE /order")
            play.ask("POST /pay", "User: bob")
            #expect(play.wire().contains("\r\n\r\n2"))
        }
    }

    @Test("The name of a value may be made of the request")
    func names() throws {
        let name = "key-$request.headers.Idempotency-Key"
        try answers([
            route("POST /orders", Reply(status: 200, body: .text("again")), state: [.init(name, .present)]),
            route("POST /orders", Reply(status: 201, body: .text("made")), changes: [.init(name, .set(.init("done")))]),
        ]) { play in
            for (key, body) in [("a", "made"), ("a", "again"), ("b", "made"), ("a", "again")] {
                play.ask("POST /orders", "Idempotency-Key: \(key)")
                #expect(play.body() == body)
            }
        }
    }

    @Test("A change that is made of the body waits for it")
    func bodyOfChange() throws {
        try answers([
            route(
                "POST /", Reply(body: .text("$state.name $count.posts")),
                changes: [.init("posts", .count), .init("name", .set(.init("$request.json.name")))])
        ]) { play in
            play.post("/", #"{"name":"ann"}"#)
            #expect(play.body() == "ann 1")
            play.ask("POST /")
            #expect(play.body() == " 2")
        }
    }

    @Test("Of a state that does not fit, the near miss tells what was wanted; an answered number of times, too")
    func nearMiss() throws {
        var once = route("GET /b", Reply(body: .text("b")))
        once.times = 1
        try answers([
            route("GET /a", Reply(), state: [.init("order", .equals(.init("paid"))), .init("tries", .count(0...0))]),
            once,
        ]) { play in
            play.ask("GET /a")
            let body = play.body()
            #expect(body.contains("  state order: wanted \"paid\", got none\n"))
            play.connect(1)
            play.ask("GET /b", on: 1)
            #expect(play.body(1) == "b")
            play.ask("GET /b", on: 1)
            let second = play.body(1)
            #expect(second.contains("closest is the route GET /b\n  times: it answers 1 request of a round, and has\n"))
            #expect(
                second.contains(
                    "then: the route GET /a\n  state order: wanted \"paid\", got none\n  target: wanted /a, got /b\n"))
        }
    }

    @Test("A round begins without any state")
    func rounds() throws {
        let script = Script(
            steps: [step("GET", "/end")],
            routes: [route("GET /n", Reply(body: .text("$count.n")), changes: [.init("n", .count)])])
        try ServerPlay.run(script, repeats: true) { play in
            play.connect()
            try play.book.check("connected", true)
            for request in ["n", "n", "end", "n"] { play.ask("GET /\(request)") }
            let bodies = play.wire().components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix(1) }
            #expect(bodies == ["1", "2", "o", "1"])
        }
    }

    @Test("The state is bounded")
    func bounds() {
        var variables = ScriptVariables()
        func set(_ name: String, _ value: String) -> Bool { variables.set(name, value) }
        func count(_ name: String) -> Bool { variables.increment(name) }
        let names = (0..<ScriptVariables.nameLimit).map { "n\($0)" }
        #expect(names.allSatisfy { set($0, "x") && count($0) })
        #expect(!set("more", "x") && !count("more") && set("n0", "y"))
        #expect(!set("n0", String(repeating: "x", count: ScriptVariables.valueLimit + 1)))
        #expect(set("n0", "") && variables.value("n0") == nil && set("more", "x"))
    }

    @Test("Dates and random words: the same seed gives the same, another one others")
    func random() throws {
        func bodies(_ seed: UInt64) throws -> [String] {
            var found: [String] = []
            try answers(
                [route("GET /", Reply(body: .text("$random.uuid $random.number $now $now.http $now.seconds")))],
                seed: seed
            ) { play in
                for _ in 0..<2 {
                    play.ask("GET /")
                    found.append(play.body())
                }
            }
            return found
        }
        let first = try bodies(1)
        #expect(try bodies(1) == first)
        #expect(try bodies(2) != first)
        #expect(first[0] != first[1])
        let words = first[0].split(separator: " ")
        #expect(words[0].wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        #expect(
            words[1].wholeMatch(of: /[0-9]{1,9}/) != nil
                && words[2].wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/) != nil)
        #expect(words[3].hasSuffix(","))
    }

    @Test("An answer that is made of the request has a bound")
    func bound() throws {
        let words = String(repeating: "$request.body", count: 40)
        try answers([route("POST /", Reply(body: .text(words)))]) { play in
            play.post("/", String(repeating: "x", count: 60_000))
            #expect(play.body().utf8.count <= TemplateSource.textLimit)
            #expect(play.events().contains("0/0 noted an answer that is made of the request is cut at 1 MiB"))
        }
    }

    @Test("Routes that were never used are known")
    func unused() throws {
        try answers([route("GET /a", Reply()), route("GET /b", Reply())]) { play in
            play.ask("GET /b")
            #expect(play.machine.standing()?.unusedRoutes.map(\.exchange.request.target) == ["/a"])
        }
    }

    @Test("A delay is drawn anew for each request, within its bounds")
    func delays() throws {
        var uniform = Reply(delay: .milliseconds(100))
        uniform.delaySpread = .uniform(.milliseconds(200))
        try answers([route("GET /", uniform)]) { play in
            play.ask("GET /")
            try play.advance(.milliseconds(99))
            #expect(play.wire().isEmpty)
            try play.advance(.milliseconds(202))
            #expect(play.wire().hasPrefix("HTTP/1.1 200"))
        }
        let spread = DelaySpread.logNormal(median: .milliseconds(100), sigma: 500)
        let dice = Dice(seed: 3)
        let drawn = (0..<1000).map { turn in spread.delay { dice.word(place: turn * 16 + $0) } }.sorted()
        #expect((Duration.milliseconds(90)...Duration.milliseconds(110)).contains(drawn[500]))
        #expect((Duration.milliseconds(145)...Duration.milliseconds(190)).contains(drawn[841]))
        #expect(drawn[0] > .milliseconds(10) && drawn[999] < .milliseconds(600))
    }

    @Test("A HEAD of an answer with a timeline is its head alone")
    func headOfTimeline() throws {
        let reply = Reply(framing: .close, timeline: [.raw(.text("data: x\n\n")), .wait(.seconds(1))])
        try answers([route("GET /", reply)]) { play in
            play.ask("HEAD /")
            #expect(play.wire().hasSuffix("\r\n\r\n") && play.actions() == ["close 0"])
        }
    }
}
