import HTTPBasics
import Testing

@testable import ServerScript

@Suite("Clients that share a server")
struct ScriptMachineScopesTests {
    private func play(_ script: Script, timeout: Duration? = nil, _ body: (ServerPlay) throws -> Void) throws {
        try ServerPlay.run(script, seed: 7, repeats: true, roundTimeout: timeout, hasScopes: true, body)
    }

    private func told(_ play: ServerPlay, _ words: String...) -> [String] {
        play.events().filter { line in words.contains { line.contains($0) } }
    }

    private func answer(_ text: String) -> Reply { Reply(body: .text(text)) }

    @Test(
        "Each has the script from its start, by a field or by the beginning of the path, on one connection or several")
    func steps() throws {
        try play(Script(steps: [step("GET", "/1", answer("one")), step("GET", "/2", answer("two"))])) { play in
            play.connect(0)
            play.connect(1)
            play.ask("GET /1", on: 0)
            play.ask("GET /1", "Understudy-Scope: a", on: 0)
            play.ask("GET /scope:b/1", on: 0)
            play.ask("GET /scope:a/2", on: 1)
            play.ask("GET /2", "understudy-scope: b", on: 0)
            play.ask("GET /2", on: 1)
            let told = told(play, "request", "exhausted", "violation")
            let wanted = [
                "0/0 request GET /1", "0/1 a: request GET /1", "0/2 b: request GET /1", "1/0 a: request GET /2",
                "1/0 a: exhausted", "0/3 b: request GET /2", "0/3 b: exhausted", "1/1 request GET /2", "1/1 exhausted",
            ]
            try play.book.check("told", told, is: wanted)
            try play.book.check("scopes", play.actions(), is: ["scope a opened", "scope b opened"])
        }
    }

    @Test("Pipelined requests of three of them end the rounds of all three")
    func pipelined() throws {
        try play(Script(steps: [step("GET", "/1")])) { play in
            play.connect()
            play.send(["/scope:a/1", "/scope:b/1", "/1"].map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            let told = told(play, "exhausted", "violation")
            try play.book.check("told", told, is: ["0/2 exhausted", "0/0 a: exhausted", "0/1 b: exhausted"])
        }
    }

    @Test("A labelled lane knows its connection when that comes back from another scope")
    func lanes() throws {
        let script = Script(steps: [step("GET", "/1", lane: "A"), step("GET", "/2", lane: "A"), step("GET", "/3")])
        try play(script) { play in
            play.connect()
            for scope in ["a", "b", "a", "b"].enumerated() {
                play.ask("GET /\(scope.offset / 2 + 1)", "Understudy-Scope: \(scope.element)")
            }
            try play.book.check("told", told(play, "violation"), is: [])
        }
    }

    @Test("A scope in the path and in the field is one if it is the same")
    func pathAndField() throws {
        try play(Script(routes: [route("GET", "/a", answer("a"))])) { play in
            play.connect()
            play.ask("GET /scope:n/a", "Understudy-Scope: n")
            try play.book.check("same", play.body(), is: "a")
            play.ask("GET /scope:n/a", "Understudy-Scope: m")
            let refusal = play.wire()
            try play.book.check("400", refusal.hasPrefix("HTTP/1.1 400 "))
            try play.book.check("why", refusal.contains("the path names the scope 'n', and the field Understudy-Scope"))
        }
    }

    @Test("What one uses up, waits for or gives up is nothing to the other")
    func apart() throws {
        let timeline: [SendStep] = [.await("go"), .rest]
        let once = Route(Exchange(RequestMatch("GET", "/once"), reply: answer("first")), times: 1)
        let later = route("GET", "/once", answer("later"))
        let held = route("GET", "/held", Reply(body: .text("held"), timeline: timeline))
        let signals = route("GET", "/go", Reply(body: .text("go"), timeline: [.signal("go"), .rest]))
        let script = Script(steps: [step("GET", "/1", times: 2)], routes: [once, later, held, signals])
        try play(script, timeout: .seconds(10)) { play in
            for peer in 0..<3 { play.connect(peer) }
            play.ask("GET /scope:a/once", on: 0)
            try play.book.check("a", play.body(0), is: "first")
            play.ask("GET /scope:b/once", on: 0)
            try play.book.check("b", play.body(0), is: "first")
            play.ask("GET /scope:a/once", on: 0)
            try play.book.check("a again", play.body(0), is: "later")
            play.ask("GET /scope:a/held", on: 1)
            play.ask("GET /scope:b/go", on: 2)
            try play.book.check("not b's", play.wire(1).hasSuffix("held"), is: false)
            play.ask("GET /scope:a/go", on: 2)
            try play.book.check("a's", play.wire(1).hasSuffix("held"), is: true)
            play.ask("GET /scope:a/1", on: 0)
            try play.advance(.seconds(6))
            play.ask("GET /scope:b/1", on: 0)
            try play.advance(.seconds(6))
            try play.book.check("a ends", told(play, "abandoned"), is: ["0/3 a: abandoned silence(10.0 seconds)"])
            play.ask("GET /scope:b/1", on: 0)
            try play.book.check("b goes on", told(play, "exhausted"), is: ["0/5 b: exhausted"])
        }
    }

    @Test("An answer under way ends with the state that it began with, when its round has been given up meanwhile")
    func underWay() throws {
        let slow = Route(Exchange(RequestMatch("GET", "/slow"), reply: Reply(body: .text("slow"), delay: .seconds(5))))
        try play(Script(steps: [step("GET", "/1"), step("GET", "/2")], routes: [slow])) { play in
            play.connect(0)
            play.connect(1)
            play.ask("GET /slow", on: 1)
            play.ask("GET /1", on: 0)
            play.feed(.endRound)
            play.ask("GET /1", on: 0)
            try play.advance(.seconds(5))
            try play.book.check("slow", play.body(1), is: "slow")
            play.ask("GET /2", on: 1)
            try play.book.check("told", told(play, "violation", "exhausted"), is: ["1/1 exhausted"])
        }
    }

    @Test("Chance is the same for each: who has a scope of its own has its results by itself")
    func chance() throws {
        let fault = Fault(at: .headEnd, do: .fin, percent: 50)
        try play(Script(routes: [route("GET", "/x", Reply(faults: [fault]))])) { play in
            var drawn: [String: [Bool]] = [:]
            for peer in 0..<24 {
                let scope = ["a", "b", "c"][peer % 3]
                play.connect(peer)
                play.ask("GET /x", "Understudy-Scope: \(scope)", on: peer)
                drawn[scope, default: []] += told(play, "drew").map { $0.contains("happens: true") }
            }
            try play.book.check("same", drawn["a"] == drawn["b"] && drawn["b"] == drawn["c"], is: true)
            try play.book.check("both", Set(drawn["a"] ?? []).count, is: 2)
        }
    }

    @Test("A name that is none is refused", arguments: ["", "a b", "é", String(repeating: "x", count: 65)])
    func badName(name: String) throws {
        try play(Script(routes: [route("GET", "/x", Reply())])) { play in
            play.connect()
            play.ask("GET /x", "Understudy-Scope: \(name)")
            try play.book.check("answer", play.wire().hasPrefix("HTTP/1.1 400 "), is: true)
            try play.book.check("told", told(play, "violation").count, is: 1)
        }
    }

    @Test("There are only so many: the one that was idle for longest makes room, and none whose steps are under way")
    func bound() throws {
        let script = Script(steps: [step("GET", "/1"), step("GET", "/2")], routes: [route("GET", "/x", Reply())])
        try play(script) { play in
            play.connect()
            for number in 0..<play.machine.mostScopes { play.ask("GET /scope:s\(number)/x") }
            _ = play.actions()
            play.ask("GET /scope:s0/1")
            play.ask("GET /scope:more/x")
            try play.book.check("room", play.actions(), is: ["scope s1 forgotten", "scope more opened"])
            for number in 1..<play.machine.mostScopes { play.ask("GET /scope:s\(number)/1") }
            let names = play.machine.everyScope.count
            try play.book.check("count", names, is: play.machine.mostScopes + 1)
            _ = play.wire()
            play.ask("GET /scope:another/x")
            try play.book.check("full", play.wire().hasPrefix("HTTP/1.1 503 "), is: true)
        }
    }

    @Test("One that nobody uses any more is forgotten, and begins anew when somebody does")
    func idle() throws {
        let once = Route(Exchange(RequestMatch("GET", "/once"), reply: answer("first")), times: 1)
        try play(Script(routes: [once, route("GET", "/once", answer("later"))])) { play in
            play.connect()
            play.ask("GET /scope:a/once")
            try play.advance(.seconds(200))
            play.ask("GET /scope:a/once")
            try play.advance(.seconds(200))
            try play.book.check("used", play.actions(), is: ["scope a opened"])
            try play.advance(.seconds(101))
            try play.book.check("idle", play.actions(), is: ["scope a forgotten"])
            _ = play.wire()
            play.ask("GET /scope:a/once")
            try play.book.check("anew", play.body(), is: "first")
        }
    }

    @Test("A server that is not shared sees names as it sees everything else")
    func unshared() throws {
        try ServerPlay.run(Script(routes: [route("GET", "/scope:a/x", Reply())])) { play in
            play.connect()
            play.ask("GET /scope:a/x", "Understudy-Scope: b")
            try play.book.check("told", told(play, "request", "violation"), is: ["0/0 request GET /scope:a/x"])
        }
    }

    @Test("What is refused behind the end of a round begins the next one, and counts there")
    func refusedAfterRound() throws {
        try play(Script(steps: [step("GET", "/1")])) { play in
            play.connect()
            play.ask("GET /1")
            play.ask("GET /scope:bad%21/1")
            let words = told(play, "exhausted", "startedOver", "violation").map { $0.split(separator: " ")[1] }
            try play.book.check("told", words, is: ["exhausted", "startedOver", "violation"])
        }
    }

    @Test("A request names one scope")
    func twice() throws {
        try play(Script(routes: [route("GET", "/x", Reply())])) { play in
            play.connect()
            play.ask("GET /x", "Understudy-Scope: a", "Understudy-Scope: a")
            let answer = play.wire()
            let text = "\r\n\r\ntwo Understudy-Scope fields: a request is about one scope\n"
            try play.book.check("answer", answer.hasPrefix("HTTP/1.1 400 ") && answer.hasSuffix(text))
            try play.book.check("scopes", play.actions(), is: ["close 0"])
        }
    }

    @Test("One that is frozen is neither forgotten nor makes room")
    func frozen() throws {
        try play(Script(routes: [route("GET", "/x", Reply())])) { play in
            play.connect()
            play.feed(.order(.freeze, scope: "ice"))
            try play.advance(.seconds(1000))
            for number in 0..<play.machine.mostScopes { play.ask("GET /scope:s\(number)/x") }
            try play.book.check("kept", play.machine.standing(of: "ice")?.isFrozen, is: true)
            play.feed(.order(.letGo, scope: "ice"))
            try play.advance(.seconds(1000))
            try play.book.check("gone", play.machine.standing(of: "ice") == nil)
        }
    }

    @Test("What a lenient reader passed over is wrong for a script that is strict")
    func strict() throws {
        var lenient = Script(routes: [route("GET", "/x", Reply())])
        let strict = lenient
        lenient.reading = .lenient
        try play(lenient) { play in
            play.feed(.order(.replace(strict), scope: "a"))
            play.connect()
            play.send("\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            try play.book.check("main", play.wire().hasPrefix("HTTP/1.1 200 "))
            play.send("\r\nGET /x HTTP/1.1\r\nHost: a\r\nUnderstudy-Scope: a\r\n\r\n")
            let answer = play.wire()
            try play.book.check("scope", answer.hasPrefix("HTTP/1.1 400 "))
            try play.book.check("why", answer.contains("malformed request: an empty line before the request line"))
            try play.book.check("told", told(play, "violation").first?.hasPrefix("0/1 a: violation "), is: true)
        }
    }

    @Test("It is known which signals are awaited: by a scope's script, by all, and by what goes on")
    func awaited() throws {
        func waiting(_ name: String) -> Script {
            Script(routes: [route("GET", "/x", Reply(body: .text("x"), timeline: [.repeat(2, [.await(name)]), .rest]))])
        }
        try play(waiting("one")) { play in
            play.connect()
            play.ask("GET /scope:a/x")
            play.feed(.order(.replace(waiting("two")), scope: "a"))
            try play.book.check("a", play.machine.awaitedSignals(in: "a"), is: ["one", "two"])
            try play.book.check("not named yet", play.machine.awaitedSignals(in: "b"), is: ["one"])
            play.feed(.order(.replace(waiting("three")), scope: ""))
            try play.book.check("all", play.machine.awaitedSignals(in: nil), is: ["one", "two", "three"])
            try play.book.check("main", play.machine.awaitedSignals(in: ""), is: ["three"])
        }
    }
}
