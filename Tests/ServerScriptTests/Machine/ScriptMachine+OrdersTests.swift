import HTTPBasics
import Testing

@testable import ServerScript

@Suite("What the user of a shared server wants")
struct ScriptMachineOrdersTests {
    private func play(_ script: Script, _ body: (ServerPlay) throws -> Void) throws {
        try ServerPlay.run(script, repeats: true, roundTimeout: .seconds(10), hasScopes: true, body)
    }

    private func routes(_ text: String, _ timeline: [SendStep] = []) -> Script {
        Script(routes: [route("GET", "/a", Reply(body: .text(text), timeline: timeline))])
    }

    private func told(_ play: ServerPlay, _ words: String...) -> [String] {
        play.events().filter { line in words.contains { line.contains($0) } }
    }

    @Test("An exchange under way ends by the old script, and the next one on its connection is the new one's")
    func replaced() throws {
        try play(routes("old text", [.bytes(3), .wait(.seconds(1)), .rest])) { play in
            play.connect()
            play.ask("GET /a")
            play.feed(.order(.replace(routes("new")), scope: nil))
            try play.advance(.seconds(1))
            try play.book.check("old", play.body(), is: "old text")
            play.ask("GET /a")
            try play.book.check("new", play.body(), is: "new")
            play.ask("GET /scope:later/a")
            try play.book.check("for all, and those to come", play.body(), is: "new")
        }
    }

    @Test("A script of one scope is that scope's alone")
    func replacedForOne() throws {
        try play(routes("old")) { play in
            play.connect()
            play.feed(.order(.replace(routes("new")), scope: "a"))
            for (target, text) in [("/scope:a/a", "new"), ("/a", "old"), ("/scope:b/a", "old")] {
                play.ask("GET \(target)")
                try play.book.check(target, play.body(), is: text)
            }
        }
    }

    @Test("A load that began before the one in place changes nothing, wherever that is")
    func overtaken() throws {
        try play(routes("0")) { play in
            play.connect()
            func load(_ ticket: Int, in scope: String?) {
                play.feed(.order(.replace(routes("\(ticket)"), ticket: ticket), scope: scope))
            }
            func check(_ texts: [String: String]) throws {
                for (scope, text) in texts.sorted(by: { $0.key < $1.key }) {
                    play.ask("GET \(scope.isEmpty ? "" : "/scope:\(scope)")/a")
                    try play.book.check(scope, play.body(), is: text)
                }
            }
            load(2, in: "a")
            load(1, in: "a")
            try check(["": "0", "a": "2", "b": "0"])
            load(1, in: nil)
            try check(["": "1", "a": "2", "b": "1", "c": "1"])
            load(5, in: nil)
            load(4, in: "a")
            load(3, in: nil)
            load(4, in: "new")
            try play.book.check("told before", play.machine.isOvertaken(4, in: "new"), is: true)
            try check(["": "5", "a": "5", "new": "5"])
            load(6, in: "a")
            try check(["": "5", "a": "6"])
        }
    }

    @Test("A step under way counts for nobody when its script is replaced or begins anew")
    func stepUnderWay() throws {
        let script = Script(steps: [
            step("GET", "/1", Reply(body: .text("one"), delay: .seconds(1))), step("GET", "/2"),
        ])
        for order in [ScriptOrder.reset, .replace(script)] {
            try play(script) { play in
                play.connect()
                play.ask("GET /1")
                play.feed(.order(order, scope: nil))
                try play.advance(.seconds(1))
                try play.book.check("it ends", play.body(), is: "one")
                try play.book.check("owed", play.machine.unconsumedSteps.count, is: 2)
                play.ask("GET /1")
                try play.advance(.seconds(1))
                play.ask("GET /2")
                let wanted = ["0/0 startedOver", "0/2 exhausted"]
                try play.book.check("told", told(play, "startedOver", "exhausted", "violation"), is: wanted)
            }
        }
    }

    @Test("A signal is its scope's, also of one that nobody has named, and stays given")
    func signal() throws {
        try play(routes("done", [.await("go"), .rest])) { play in
            play.connect()
            play.feed(.order(.signal("go"), scope: "a"))
            play.ask("GET /scope:a/a")
            try play.book.check("given", play.body(), is: "done")
            play.ask("GET /a")
            try play.book.check("not here", play.wire().hasSuffix("done"), is: false)
            play.feed(.order(.signal("go"), scope: nil))
            try play.book.check("for all", play.wire().hasSuffix("done"), is: true)
        }
    }

    @Test("What is frozen stops where it is, and does not end by itself")
    func frozen() throws {
        let slow = Reply(body: .text("abcdef"), timeline: [.bytes(3), .wait(.seconds(1)), .rest])
        try play(Script(steps: [step("GET", "/a", slow), step("GET", "/b")])) { play in
            play.connect()
            play.ask("GET /a")
            try play.book.check("begun", play.wire().hasSuffix("abc"), is: true)
            play.feed(.order(.freeze, scope: nil))
            try play.advance(.seconds(60))
            try play.book.check("nothing", play.wire(), is: "")
            play.feed(.order(.letGo, scope: nil))
            try play.book.check("the rest", play.wire(), is: "def")
            play.feed(.order(.freeze, scope: nil))
            play.ask("GET /b")
            try play.book.check("read", told(play, "request GET /b", "abandoned").count, is: 1)
            play.feed(.order(.reset, scope: nil))
            try play.book.check("let go", play.body(), is: "ok")
        }
    }

    @Test("What is under way has the signals that it began with, and raises its own there")
    func signalsOfOldStates() throws {
        let waits: [SendStep] = [.wait(.milliseconds(1500)), .await("go"), .rest]
        var script = routes("done", waits)
        script.routes.append(
            route("GET", "/go", Reply(body: .text("go"), timeline: [.wait(.seconds(2)), .signal("go"), .rest])))
        try play(script) { play in
            for peer in 0..<3 { play.connect(peer) }
            play.feed(.order(.signal("go"), scope: nil))
            play.ask("GET /a", on: 0)
            play.ask("GET /go", on: 1)
            play.feed(.order(.reset, scope: nil))
            play.ask("GET /a", on: 2)
            try play.advance(.seconds(2))
            try play.book.check("given before", play.body(0), is: "done")
            try play.book.check("raised", play.body(1), is: "go")
            try play.book.check("not here", play.wire(2).hasSuffix("done"), is: false)
            play.feed(.order(.reset, scope: nil))
            play.feed(.order(.signal("go"), scope: nil))
            try play.book.check("from outside", play.wire(2).hasSuffix("done"), is: true)
        }
    }

    @Test("What goes wrong in an exchange whose state was replaced is noted, and accuses nobody")
    func violationOfOldState() throws {
        let reply = Reply(body: .text("ok"), delay: .seconds(1), faults: [Fault(at: .body(100), do: .fin)])
        try play(Script(routes: [route("GET", "/a", reply)])) { play in
            play.connect()
            play.ask("GET /a")
            play.feed(.order(.reset, scope: nil))
            try play.advance(.seconds(1))
            let told = told(play, "never reached")
            try play.book.check("noted", told.map { $0.hasPrefix("0/0 noted the fault") }, is: [true])
            try play.book.check("not begun", play.machine.standing()?.isUnderWay, is: false)
        }
    }

    @Test("What no script wants is told at once, and refused when it is let go")
    func frozenRefusal() throws {
        try play(routes("text")) { play in
            play.connect(0)
            play.connect(1)
            play.feed(.order(.freeze, scope: nil))
            play.ask("GET /none", on: 0)
            play.send("nonsense\r\n\r\n", on: 1)
            try play.book.check("told", told(play, "violation").count, is: 2)
            try play.book.check("nothing", play.wire(0) + play.wire(1), is: "")
            play.feed(.order(.letGo, scope: nil))
            try play.book.check("404", play.wire(0).hasPrefix("HTTP/1.1 404 "), is: true)
            try play.book.check("400", play.wire(1).hasPrefix("HTTP/1.1 400 "), is: true)
            try play.book.check("closed", play.actions().filter { $0.hasPrefix("close ") }, is: ["close 0", "close 1"])
        }
    }

    @Test("What is wanted for all is wanted for scopes that are named later")
    func later() throws {
        try play(routes("done", [.await("go"), .rest])) { play in
            play.connect()
            play.feed(.order(.signal("go"), scope: nil))
            play.feed(.order(.freeze, scope: nil))
            play.ask("GET /scope:later/a")
            try play.book.check("frozen", play.wire(), is: "")
            play.feed(.order(.letGo, scope: nil))
            try play.book.check("given", play.body(), is: "done")
            play.ask("GET /scope:another/a")
            try play.book.check("let go", play.body(), is: "done")
            play.feed(.order(.reset, scope: nil))
            play.ask("GET /scope:new/a")
            try play.book.check("forgotten", play.wire().hasSuffix("done"), is: false)
        }
    }

    @Test("A client that closes its side while it is frozen is let go of")
    func frozenClientCloses() throws {
        try play(routes("text")) { play in
            play.connect(0)
            play.connect(1)
            play.feed(.order(.freeze, scope: nil))
            play.ask("GET /a", on: 0)
            play.ask("GET /none", on: 1)
            for peer in 0...1 { play.feed(.inputClosed(PeerID(peer))) }
            try play.book.check("closed", play.actions(), is: ["close 0", "close 1"])
        }
    }

    @Test("A body is read while its exchange is frozen, but not where the client would see that")
    func frozenBody() throws {
        let posts = Script(routes: [route("POST", "/a", Reply(body: .text("text")))])
        try play(posts) { play in
            play.connect(0)
            play.connect(1)
            play.feed(.order(.freeze, scope: nil))
            play.post("/a", "abc", on: 0)
            play.post("/a", "abc", "Expect: 100-continue", on: 1)
            try play.book.check("read", told(play, "body"), is: ["0/0 body 3"])
            try play.book.check("nothing", play.wire(0) + play.wire(1), is: "")
            play.feed(.order(.letGo, scope: nil))
            try play.book.check("answers", [play.body(0), play.body(1)], is: ["text", "text"])
        }
    }
}
