import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct LaneTests {
    @Test("Steps of one lane are played in order, on one connection, and then the script is exhausted")
    func order() throws {
        try ServerPlay.run(step("GET", "/1", lane: "A"), step("GET", "/2", lane: "A")) { play in
            play.connect()
            play.ask("GET /1")
            try play.book.check(
                "journal", play.events(), is: ["0/0 accepted", "0/0 request GET /1 A", "0/0 answered 200"])
            play.ask("GET /2")
            try play.book.check(
                "journal", play.events(), is: ["0/1 request GET /2 A", "0/1 answered 200", "0/1 exhausted"])
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }

    @Test("A labelled lane is asserted on its connection; the diff says which one it wants")
    func sameConnection() throws {
        try ServerPlay.run(step("GET", "/1", lane: "A"), step("GET", "/2", lane: "A", line: 9)) { play in
            play.connect(0)
            play.ask("GET /1")
            play.connect(1)
            _ = play.events()
            play.ask("GET /2", on: 1)
            let text = """
                GET /2 on connection #1, exchange 1 matches no step and no route; closest is the step conn A: GET /2
                closest: s.yaml:9:5
                  connection: wanted 0, which conn A is bound to, got 1
                """
            try play.book.check(
                "journal", play.events(), is: ["1/0 request GET /2", "1/0 violation \(text)", "1/0 answered 404"])
            try play.book.check("body", play.body(1).hasPrefix(text + "\nthen: the step conn A: GET /1\n"))
            try play.book.check("actions", play.actions(), is: ["close 1"])
            try play.book.check("left", play.machine.unconsumedSteps.map(\.mark?.line), is: [9])
        }
    }

    @Test("Lanes bind connections at first use, in file order of what fits")
    func binding() throws {
        let steps = [
            step("GET", "/x", Reply(body: .text("a")), lane: "A"),
            step("GET", "/x", Reply(body: .text("b")), lane: "B"),
            step("GET", "/y", Reply(body: .text("c")), lane: "A"),
            step("GET", "/y", Reply(body: .text("d")), lane: "B"),
        ]
        try ServerPlay.run(Script(steps: steps)) { play in
            play.connect(0)
            play.connect(1)
            play.ask("GET /x", on: 1)
            play.ask("GET /x", on: 0)
            play.ask("GET /y", on: 0)
            play.ask("GET /y", on: 1)
            try play.book.check("0", play.wire(0).filter { "abcd".contains($0) }.suffix(1), is: "d")
            try play.book.check("1", play.wire(1).filter { "abcd".contains($0) }.suffix(1), is: "c")
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }

    @Test("Any connection continues the lane without a label, also while an earlier answer is under way")
    func unlabelled() throws {
        let slow = Reply(body: .text("1"), delay: .seconds(1))
        try ServerPlay.run(step("GET", "/1", slow), step("GET", "/2")) { play in
            play.connect(0)
            play.connect(1)
            play.ask("GET /1", on: 0)
            play.ask("GET /2", on: 1)
            try play.book.check("second", play.body(1), is: "ok")
            try play.book.check("not yet exhausted", !play.events().contains { $0.hasSuffix("exhausted") })
            try play.advance(.seconds(1))
            try play.book.check("first", play.body(0), is: "1")
            try play.book.check("journal", play.events(), is: ["0/0 answered 200", "0/0 exhausted"])
        }
    }

    @Test("The next step of the lane without a label waits until the request before it has been read")
    func unlabelledReading() throws {
        try ServerPlay.run(step("POST", "/1"), step("GET", "/2", line: 2)) { play in
            play.connect(0)
            play.connect(1)
            play.send("POST /1 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\n\r\na", on: 0)
            play.ask("GET /2", on: 1)
            let text = "order: the request before it is still being read, on connection #0"
            try play.book.check("diff", play.body(1).contains(text))
        }
    }

    @Test("A connection of a labelled lane may continue the lane without a label, not the other way round")
    func mixing() throws {
        try ServerPlay.run(step("GET", "/1", lane: "A"), step("GET", "/2"), step("GET", "/3", lane: "B")) { play in
            play.connect(0)
            play.ask("GET /1")
            play.ask("GET /2")
            play.connect(1)
            play.ask("GET /3", on: 1)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
        try ServerPlay.run(step("GET", "/1"), step("GET", "/2", lane: "A")) { play in
            play.connect(0)
            play.ask("GET /1")
            _ = play.wire()
            play.ask("GET /2")
            let text = "connection: wanted a new one for conn A, got 0, which has played steps without a label"
            try play.book.check("diff", play.body().contains(text))
        }
    }

    @Test("times: 0 removes a step, times: n repeats it, and one more is named as such")
    func times() throws {
        let steps = [step("GET", "/0", times: 0), step("GET", "/1", times: 3, line: 2)]
        try ServerPlay.run(Script(steps: steps)) { play in
            play.connect()
            for left in [3, 2, 1] {
                try play.book.check("left", play.machine.unconsumedSteps.map(\.times), is: [left])
                play.ask("GET /1")
            }
            try play.book.check("exhausted", play.machine.isExhausted)
            _ = play.wire()
            play.ask("GET /1")
            try play.book.check("diff", play.body().contains("count: wanted 3 of these in all, got one more"))
        }
    }

    @Test("A later step of the lane is out of order")
    func outOfOrder() throws {
        try ServerPlay.run(step("GET", "/1", line: 1), step("GET", "/2", line: 2)) { play in
            play.connect()
            play.ask("GET /2")
            try play.book.check("diff", play.body().contains("order: wanted GET /1 (s.yaml:1:5) first"))
        }
    }

    @Test("A step of another host does not match")
    func hosts() throws {
        let script = Script(hosts: ["a.test", "b.test"], steps: [step("GET", "/1", host: "b.test")])
        try ServerPlay.run(script) { play in
            play.connect(0)
            play.ask("GET /1")
            try play.book.check("diff", play.body().contains("host: wanted b.test, got a.test"))
            play.connect(1, host: "b.test")
            play.ask("GET /1", on: 1)
            try play.book.check("body", play.body(1), is: "ok")
        }
    }

    @Test("Routes answer what no step wants, first match wins, otherwise comes last")
    func routes() throws {
        let script = Script(
            steps: [step("GET", "/a", Reply(body: .text("step")), times: 1)],
            routes: [
                route("GET", "/a", Reply(body: .text("route"))), route(nil, "/a*", Reply(body: .text("star"))),
                route("GET", "/a", Reply(body: .text("never"))),
            ], otherwise: Reply(status: 410, body: .text("gone")))
        try ServerPlay.run(script) { play in
            play.connect()
            for (line, wanted) in [
                ("GET /a", "step"), ("GET /a", "route"), ("GET /abc", "star"), ("PUT /a", "star"), ("GET /b", "gone"),
                ("GET /a", "route"),
            ] {
                play.ask(line)
                try play.book.check(line, play.body(), is: wanted)
            }
            try play.book.check("violations", play.events().filter { $0.contains("violation") }, is: [])
        }
    }

    @Test("Routes may be told apart by the body")
    func routesByBody() throws {
        let routes = ["a", "b"].map { text in
            Route(
                Exchange(
                    RequestMatch("POST", "/", body: .equals(.text(text))), reply: Reply(body: .text("got \(text)"))))
        }
        try ServerPlay.run(Script(routes: routes)) { play in
            play.connect()
            play.post("/", "b")
            try play.book.check("b", play.body(), is: "got b")
            play.post("/", "a")
            try play.book.check("a", play.body(), is: "got a")
            play.post("/", "c")
            try play.book.check("c", play.body().contains("body at byte 0: wanted \"a\", got \"c\""))
        }
    }

    @Test("A script without steps is never reported as exhausted")
    func routesOnly() throws {
        try ServerPlay.run(Script(routes: [route("GET", "/", Reply())])) { play in
            play.connect()
            play.ask("GET /")
            try play.book.check("journal", !play.events().contains { $0.hasSuffix("exhausted") })
        }
    }
}
