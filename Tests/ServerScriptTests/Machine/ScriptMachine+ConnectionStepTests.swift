import NIOCore
import Testing

@testable import ServerScript

@Suite struct ConnectionStepTests {
    @Test("A fault at accept ends the first connection; the next one gets the exchange")
    func acceptFault() throws {
        let accept = Step(.accept(Fault(at: .accept, do: .fin)), lane: "A")
        try ServerPlay.run(accept, step("GET", "/", lane: "B")) { play in
            play.connect(0)
            try play.book.check("actions", play.actions(), is: ["close 0"])
            play.connect(1)
            play.ask("GET /", on: 1)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }

    @Test("A lane that begins with a request keeps its place before a later accept step")
    func fileOrder() throws {
        let accept = Step(.accept(Fault(at: .accept, do: .reset)), lane: "B")
        try ServerPlay.run(step("GET", "/", lane: "A"), accept) { play in
            play.connect(0)
            try play.book.check("actions", play.actions(), is: [])
            play.connect(1)
            try play.book.check("actions", play.actions(), is: ["reset 1"])
            play.ask("GET /", on: 0)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }

    @Test("A fault of an idle fresh connection fires only if nothing is sent on it")
    func acceptIdle() throws {
        let accept = Step(.accept(Fault(at: .idle(.seconds(2)), do: .fin)), lane: "A")
        try ServerPlay.run(accept) { play in
            play.connect()
            try play.book.expectDeadline(in: .seconds(2))
            try play.book.check("not yet", !play.machine.isExhausted)
            try play.advance(.seconds(2))
            try play.book.check("actions", play.actions(), is: ["close 0"])
            try play.book.check("exhausted", play.machine.isExhausted)
        }
        try ServerPlay.run(accept) { play in
            play.connect()
            play.send("G")
            try play.advance(.seconds(5))
            try play.book.check("left", play.machine.unconsumedSteps.count, is: 1)
        }
    }

    @Test("Raw bytes take the place of an answer, and another request may follow them")
    func rawAnswer() throws {
        let steps = [
            Step(.exchange(Exchange(RequestMatch("GET", "/"))), lane: "A"),
            Step(.write(Array("HTTP/1.1 ".utf8)), lane: "A"), Step(.write(Array("2".utf8)), lane: "A", times: 2),
            step("GET", "/next", lane: "A"),
        ]
        try ServerPlay.run(Script(steps: steps)) { play in
            play.connect()
            play.ask("GET /")
            try play.book.check("raw", play.wire(), is: "HTTP/1.1 22")
            play.ask("GET /next")
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }

    @Test("Raw reading and writing before, between and after exchanges")
    func rawSteps() throws {
        let steps = [
            Step(.write(Array("hello".utf8)), lane: "A"), Step(.read(bytes: 4), lane: "A"), step("GET", "/", lane: "A"),
            Step(.write(Array("bye".utf8)), lane: "A", times: 2), Step(.close(.halfClose), lane: "A"),
        ]
        try ServerPlay.run(Script(steps: steps)) { play in
            play.connect()
            try play.book.check("greeting", play.wire(), is: "hello")
            play.send("ab")
            play.send("cdGET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
            try play.book.check("body", play.body(), is: "okbyebye")
            try play.book.check("actions", play.actions(), is: ["closeOutput 0"])
            try play.book.check("exhausted", play.events().last, is: "0/0 exhausted")
        }
    }

    @Test(
        "A close step ends the connection once its exchange is over",
        arguments: [
            (Fault.Effect.fin, "close 0"), (.reset, "reset 0"),
        ])
    func closeStep(effect: Fault.Effect, action: String) throws {
        try ServerPlay.run(step("GET", "/"), Step(.close(effect))) { play in
            play.connect()
            play.ask("GET /")
            try play.book.check("no announcement", !play.wire().contains("Connection"))
            try play.book.check("actions", play.actions(), is: [action])
        }
    }

    @Test("The journal says who ended a connection")
    func whoClosed() throws {
        try ServerPlay.run(step("GET", "/1"), step("GET", "/2", Reply(framing: .close))) { play in
            play.connect(0)
            play.connect(1)
            play.ask("GET /1", on: 0)
            play.feed(.inputClosed(PeerID(0)))
            try play.book.check("actions", play.actions(), is: ["close 0"])
            play.feed(.closed(PeerID(0)))
            play.ask("GET /2", on: 1)
            try play.book.check("actions", play.actions(), is: ["close 1"])
            play.feed(.inputClosed(PeerID(1)))
            try play.book.check("peers", play.machine.openPeers, is: [PeerID(1)])
            play.feed(.closed(PeerID(1)))
            try play.book.check("peers", play.machine.openPeers, is: [])
            let ends = play.events().filter { $0.contains("closed") }
            try play.book.check("ends", ends, is: ["0/0 closed by client", "1/0 closed by server"])
        }
    }

    @Test("A client that goes away ends its exchange at once, also in a wait")
    func clientGone() throws {
        try ServerPlay.run(step("GET", "/", Reply(delay: .seconds(60)))) { play in
            play.connect()
            play.ask("GET /")
            play.feed(.inputClosed(PeerID(0)))
            try play.book.check("actions", play.actions(), is: ["close 0"])
            try play.book.expectDeadline(in: nil)
            try play.book.check("exhausted", play.events().last, is: "0/0 exhausted")
        }
    }

    private func served(_ reply: Reply, repeats: Bool, _ body: (ServerPlay) throws -> Void) throws {
        let script = Script(steps: [step("GET", "/", reply)])
        try ServerPlay.run(script, repeats: repeats, roundTimeout: .seconds(10)) { play in
            play.connect()
            play.ask("GET /")
            play.feed(.inputClosed(PeerID(0)))
            try body(play)
        }
    }

    @Test("A server for any client answers one that has closed its sending side during a delay")
    func halfClosedInDelay() throws {
        func exhausted(_ play: ServerPlay) -> Bool { play.events().contains { $0.hasSuffix("exhausted") } }
        let slow = Reply(body: .text("abcdef"), timeline: [.bytes(2), .wait(.seconds(5)), .rest], delay: .seconds(5))
        for repeats in [false, true] {
            try served(slow, repeats: repeats) { play in
                try play.book.check("waits", play.actions(), is: [])
                // Who asks next finds the script begun anew; one that is played once ends with its answer.
                try play.book.check("over", exhausted(play), is: repeats)
                try play.advance(.seconds(5))
                try play.book.check("begun", play.body(), is: "ab")
                try play.advance(.seconds(5))
                try play.book.check("whole", play.wire(), is: "cdef")
                try play.book.check("closed", play.actions(), is: ["close 0"])
                try play.book.check("over", exhausted(play), is: !repeats)
            }
        }
        try served(slow, repeats: true) { play in
            play.connect(1)
            play.ask("GET /", on: 1)
            try play.advance(.seconds(5))
            try play.book.check("both", [play.body(0), play.body(1)], is: ["ab", "ab"])
            try play.book.check("none", play.events().filter { $0.contains("violation") }, is: [])
        }
    }

    @Test("It takes a client for gone that would have to wait longer than for a round, or for a signal or a fault")
    func goneInDelay() throws {
        let fault = Fault(at: .body(1), do: .fin)
        let replies = [
            Reply(body: .text("a"), delay: .seconds(11)), Reply(body: .text("a"), timeline: [.await("go"), .rest]),
            Reply(body: .text("a"), delay: .seconds(1), faults: [fault]),
        ]
        for (reply, owed) in zip(replies, [0, 0, 1]) {
            try served(reply, repeats: false) { play in
                try play.book.check("closed", play.actions().filter { $0.hasPrefix("close") }, is: ["close 0"])
                try play.book.check("owed", play.machine.unconsumedSteps.count, is: owed)
            }
        }
    }

    @Test("A client that closes its sending side right after the request still gets the answer")
    func halfClosedClient() throws {
        try ServerPlay.run(step("GET", "/", Reply(body: .counter(size: 600_000)))) { play in
            play.takesWrites = false
            play.connect()
            play.ask("GET /")
            play.feed(.inputClosed(PeerID(0)))
            try play.book.check("actions", play.actions(), is: [])
            play.takesWrites = true
            play.acknowledge(256 << 10)
            try play.book.check("whole", play.bytes().count > 600_000)
            try play.book.check("actions", play.actions(), is: ["close 0"])
        }
    }

    @Test("Inputs about a connection that is gone are dropped")
    func lateInputs() throws {
        try ServerPlay.run(step("GET", "/")) { play in
            play.connect()
            play.feed(.closed(PeerID(0)))
            _ = play.events()
            play.ask("GET /")
            play.feed(.wrote(PeerID(0), bytes: 5))
            play.feed(.inputClosed(PeerID(0)))
            play.feed(.closed(PeerID(0)))
            try play.book.check("journal", play.events(), is: [])
        }
    }

    @Test("A connection that a lane has taken at once does not stand for another lane's request")
    func claimedConnections() throws {
        let steps = [
            Step(.write([0x61]), lane: "A"), step("GET", "/", lane: "B"), Step(.write([0x63]), lane: "C"),
        ]
        try ServerPlay.run(Script(steps: steps)) { play in
            for peer in 0..<3 { play.connect(peer) }
            try play.book.check("writes", [play.wire(0), play.wire(1), play.wire(2)], is: ["a", "", "c"])
            play.ask("GET /", on: 1)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }

    @Test("Each waiting connection stands for one lane that begins with a request")
    func waitingConnections() throws {
        let steps = [step("GET", "/1", lane: "A"), step("GET", "/2", lane: "B"), Step(.write([0x63]), lane: "C")]
        try ServerPlay.run(Script(steps: steps)) { play in
            for peer in 0..<3 { play.connect(peer) }
            try play.book.check("writes", [play.wire(0), play.wire(1), play.wire(2)], is: ["", "", "c"])
            play.ask("GET /2", on: 0)
            play.ask("GET /1", on: 1)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }
}
