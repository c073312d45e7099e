import HTTPBasics
import Testing

@testable import ServerScript

@Suite("A script that begins anew")
struct ScriptMachineRoundsTests {
    private func step(_ line: String, lane: String? = nil) -> Step {
        let words = line.split(separator: " ").map(String.init)
        let exchange = Exchange(RequestMatch(words[0], words[1]), reply: Reply(body: .text(words[1])))
        return Step(.exchange(exchange), lane: lane)
    }

    @Test("The next request on the same connection, or on another, finds it from the start")
    func again() throws {
        try ServerPlay.run(Script(steps: [step("GET /1"), step("GET /2")]), repeats: true) { play in
            play.connect()
            for _ in 0..<3 {
                play.ask("GET /1")
                play.ask("GET /2")
            }
            play.connect(1)
            play.ask("GET /1", on: 1)
            let events = play.events().filter { $0.contains("tart") || $0.contains("viol") || $0.contains("exha") }
            let rounds = [
                "0/1 exhausted", "0/2 startedOver", "0/3 exhausted", "0/4 startedOver", "0/5 exhausted",
                "1/0 startedOver",
            ]
            try play.book.check("events", events, is: rounds)
            try play.book.check("left", play.machine.unconsumedSteps.count, is: 1)
        }
    }

    @Test("A connection that was one lane's may be another's in the next round")
    func lanes() throws {
        let script = Script(steps: [step("GET /1", lane: "A"), step("GET /2", lane: "B")])
        try ServerPlay.run(script, repeats: true) { play in
            play.connect(0)
            play.connect(1)
            play.ask("GET /1", on: 0)
            play.ask("GET /2", on: 1)
            play.ask("GET /2", on: 0)
            play.ask("GET /1", on: 1)
            let violations = play.events().filter { $0.contains("violation") }
            try play.book.check("violations", violations, is: [])
        }
    }

    @Test("Requests that come in one piece are as many rounds")
    func pipelined() throws {
        try ServerPlay.run(Script(steps: [step("GET /1")]), repeats: true) { play in
            play.connect()
            play.send(String(repeating: "GET /1 HTTP/1.1\r\nHost: a.test\r\n\r\n", count: 3))
            let rounds = play.events().filter { $0.contains("startedOver") }
            try play.book.check("rounds", rounds, is: ["0/1 startedOver", "0/2 startedOver"])
        }
    }

    @Test("Without being told so it does not begin anew")
    func once() throws {
        try ServerPlay.run(Script(steps: [step("GET /1")])) { play in
            play.connect()
            play.ask("GET /1")
            play.ask("GET /1")
            let violations = play.events().filter { $0.contains("violation") }
            try play.book.check("violations", violations.count, is: 1)
        }
    }

    private static let patience = Duration.seconds(10)

    /// The events that are about rounds, and violations.
    private func rounds(_ play: ServerPlay) -> [String] {
        play.events().filter { line in
            ["startedOver", "exhausted", "abandoned", "violation"].contains { line.contains($0) }
        }
    }

    @Test(
        "One that a client gives up ends after a long time without requests, and the next client finds its start"
    )
    func givenUp() throws {
        let script = Script(steps: [step("GET /1"), step("GET /2")])
        try ServerPlay.run(script, repeats: true, roundTimeout: Self.patience) { play in
            play.connect()
            play.ask("GET /1")
            try play.advance(.seconds(9))
            try play.book.check("too early", rounds(play), is: [])
            try play.advance(.seconds(2))
            try play.book.check("in time", rounds(play), is: ["0/0 abandoned silence(10.0 seconds)"])
            try play.book.check("left", play.machine.unconsumedSteps.count, is: 1)
            play.connect(1)
            play.ask("GET /1", on: 1)
            play.ask("GET /2", on: 1)
            try play.book.check("anew", rounds(play), is: ["1/0 startedOver", "1/1 exhausted"])
        }
    }

    /// A probe of a port, half a head, an unexpected request, one for a route: not of the round's own steps.
    @Test("What others do does not keep a round alive", arguments: ["", "GET /2 HT", "GET /9", "GET /route"])
    func others(text: String) throws {
        let route = Route(Exchange(RequestMatch("GET", "/route"), reply: Reply()))
        let script = Script(steps: [step("GET /1"), step("GET /2")], routes: [route])
        try ServerPlay.run(script, repeats: true, roundTimeout: Self.patience) { play in
            play.connect()
            play.ask("GET /1")
            for peer in 1..<4 {
                try play.advance(.seconds(4))
                play.connect(peer)
                if text.hasSuffix("T") { play.send(text, on: peer) } else if !text.isEmpty { play.ask(text, on: peer) }
            }
            let ends = rounds(play).filter { $0.contains("abandoned") }
            try play.book.check("ends", ends.count, is: 1)
        }
    }

    @Test("A step that happens, and the bytes of its request, begin the silence anew")
    func ownSteps() throws {
        let script = Script(steps: [step("GET /1"), step("POST /2"), step("GET /3")])
        try ServerPlay.run(script, repeats: true, roundTimeout: Self.patience) { play in
            play.connect()
            play.ask("GET /1")
            try play.advance(.seconds(7))
            play.send("POST /2 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\n\r\n")
            for _ in 0..<2 {
                try play.advance(.seconds(7))
                play.send("x")
            }
            try play.advance(.seconds(7))
            play.ask("GET /3")
            try play.book.check("rounds", rounds(play), is: ["0/2 exhausted"])
        }
    }

    @Test("What a route or an earlier round keeps waiting keeps no round alive, nor does an answer that is not read")
    func busyWithOther() throws {
        let stall = Exchange(RequestMatch("GET", "/1"), faults: [Fault(at: .request, do: .stall)])
        let slow = Reply(timeline: [.wait(.seconds(900)), .rest])
        let events = Route(Exchange(RequestMatch("GET", "/events"), reply: slow))
        let large = Exchange(RequestMatch("GET", "/2"), reply: Reply(body: .counter(size: 1 << 20)))
        let script = Script(steps: [Step(.exchange(large)), Step(.exchange(stall))], routes: [events])
        try ServerPlay.run(script, repeats: true, roundTimeout: Self.patience) { play in
            for peer in 0..<4 { play.connect(peer) }
            play.ask("GET /events", on: 0)
            play.ask("GET /2", on: 1)
            play.ask("GET /1", on: 1)
            try play.book.check("first", rounds(play), is: ["1/1 exhausted"])
            play.takesWrites = false
            play.ask("GET /2", on: 2)
            _ = play.actions()
            for _ in 0..<4 { try play.advance(.seconds(3)) }
            try play.book.check("second", rounds(play), is: ["2/0 startedOver", "2/0 abandoned silence(10.0 seconds)"])
            try play.book.check("actions", play.actions(), is: ["reset 2"])
        }
    }

    @Test("Only a step, or an unexpected request, begins a round where there are steps")
    func beginning() throws {
        let route = Route(Exchange(RequestMatch("GET", "/route"), reply: Reply()))
        let script = Script(steps: [step("GET /1")], routes: [route])
        try ServerPlay.run(script, repeats: true, roundTimeout: Self.patience) { play in
            play.connect()
            play.ask("GET /route")
            try play.book.check("by a route", play.machine.standing()?.isUnderWay, is: false)
            play.ask("GET /9")
            try play.book.check("by another request", play.machine.standing()?.isUnderWay, is: true)
        }
    }

    @Test("A client that waits for what the script does has not given up; one that leaves has, so long after")
    func waits() throws {
        let stalled = Exchange(RequestMatch("GET", "/1"), faults: [Fault(at: .request, do: .stall)])
        let script = Script(steps: [Step(.exchange(stalled)), step("GET /2")])
        try ServerPlay.run(script, repeats: true, roundTimeout: Self.patience) { play in
            play.connect()
            play.ask("GET /1")
            for _ in 0..<20 { try play.advance(.seconds(3)) }
            try play.book.check("while it waits", rounds(play), is: [])
            play.feed(.closed(PeerID(0)))
            for _ in 0..<3 { try play.advance(.seconds(3)) }
            try play.book.check("a while after", rounds(play), is: [])
            try play.advance(.seconds(3))
            try play.book.check("at last", rounds(play), is: ["0/0 abandoned silence(10.0 seconds)"])
        }
    }

    @Test("A round without requests, or one that is over, is not given up")
    func nothingToGiveUp() throws {
        try ServerPlay.run(Script(steps: [step("GET /1")]), repeats: true, roundTimeout: Self.patience) { play in
            play.connect()
            for _ in 0..<5 { try play.advance(.seconds(10)) }
            play.feed(.endRound)
            play.ask("GET /1")
            play.feed(.endRound)
            for _ in 0..<5 { try play.advance(.seconds(10)) }
            try play.book.check("rounds", rounds(play), is: ["0/0 exhausted"])
        }
    }

    @Test("Given up on request, it resets who is in the midst of an exchange and lets the others be")
    func onRequest() throws {
        let slow = Exchange(RequestMatch("GET", "/1"), reply: Reply(delay: .seconds(60)))
        let script = Script(steps: [Step(.exchange(slow)), step("GET /2")])
        try ServerPlay.run(script, repeats: true) { play in
            play.connect(0)
            play.connect(1)
            play.ask("GET /1", on: 0)
            _ = play.actions()
            play.feed(.endRound)
            try play.book.check("actions", play.actions(), is: ["reset 0"])
            play.ask("GET /1", on: 1)
            let wanted = ["0/0 abandoned asked", "1/0 startedOver"]
            try play.book.check("rounds", rounds(play), is: wanted)
        }
    }

    @Test("A script without steps is over on request, and its routes count anew")
    func routesOnly() throws {
        let route = Route(Exchange(RequestMatch("GET", "/1"), reply: Reply(body: .text("first"))), times: 1)
        try ServerPlay.run(Script(routes: [route]), repeats: true, roundTimeout: Self.patience) { play in
            play.connect()
            play.ask("GET /1")
            try play.advance(.seconds(60))
            play.feed(.endRound)
            play.ask("GET /1")
            try play.book.check("rounds", rounds(play), is: ["0/0 exhausted", "0/1 startedOver"])
        }
    }

    @Test("A request that cannot be read belongs to the next round when one is over")
    func malformed() throws {
        try ServerPlay.run(Script(steps: [step("GET /1")]), repeats: true) { play in
            play.connect()
            play.ask("GET /1")
            play.send("nonsense\r\n\r\n")
            let kinds = rounds(play).map { $0.split(separator: " ")[1] }
            try play.book.check("rounds", kinds, is: ["exhausted", "startedOver", "violation"])
        }
    }
}
