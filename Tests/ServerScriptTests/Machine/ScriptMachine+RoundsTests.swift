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
}
