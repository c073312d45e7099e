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
}
