import HTTPBasics
import Testing

@testable import ServerScript

@Suite("Clients that send nothing, or not enough")
struct PeerPatienceTests {
    private static let route = Route(Exchange(RequestMatch(nil, "*"), reply: Reply(body: .text("hi"))))
    private static let script = Script(routes: [route])

    /// Looks every ten seconds, and says after how many of them the connection was closed; nil if it was not.
    private func closed(_ play: ServerPlay, within most: Int = 20, each: () -> Void = {}) throws -> Int? {
        for look in 1...most {
            each()
            try play.advance(.seconds(10))
            if play.actions().contains(where: ["close 0", "reset 0"].contains) { return look }
        }
        return nil
    }

    private func run(_ script: Script = script, _ body: (ServerPlay) throws -> Void) throws {
        try ServerPlay.run(script, repeats: true, peerTimeout: .seconds(60)) { play in
            play.connect()
            try body(play)
        }
    }

    @Test("A connection that asks for nothing is closed")
    func silent() throws {
        try run { play in try play.book.check("after", closed(play), is: 6) }
    }

    @Test("A connection that asks for nothing more is closed, counted from its last answer")
    func idle() throws {
        try run { play in
            try play.advance(.seconds(50))
            play.ask("GET /")
            try play.book.check("after", closed(play), is: 7)
        }
    }

    @Test("A head must be whole in time, however many bytes of it come")
    func slowHead() throws {
        try run { play in
            try play.book.check("after", closed(play) { play.send("G") }, is: 6)
            let text = "closed by the server: for 60.0 seconds the client did not send the rest of a request's head"
            let told = play.events().filter { $0.contains("noted") || $0.contains("broken") }
            try play.book.check("line", told, is: ["0/0 noted \(text)"])
        }
    }

    @Test("A body may be slow, but not stop")
    func slowBody() throws {
        try run { play in
            play.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
            try play.book.check("slow", closed(play) { play.send("x") }, is: nil)
            try play.book.check("stopped", closed(play), is: 6)
            let told = play.events().filter { $0.contains("noted") || $0.contains("broken") }
            try play.book.check("line", told.map { $0.hasSuffix("sent nothing more of a request's body") }, is: [true])
        }
    }

    @Test("A client that the script keeps waiting may wait")
    func waits() throws {
        let slow = Route(Exchange(RequestMatch(nil, "*"), faults: [Fault(at: .request, do: .stall)]))
        try run(Script(routes: [slow])) { play in
            play.ask("GET /")
            try play.book.check("after", closed(play), is: nil)
        }
    }

    @Test("A connection that the script counts on may pause")
    func held() throws {
        let steps = ["/1", "/2"].map { target in
            Step(.exchange(Exchange(RequestMatch("GET", target), reply: Reply())), lane: "A")
        }
        try run(Script(steps: steps)) { play in
            play.ask("GET /1")
            try play.book.check("after", closed(play), is: nil)
        }
    }

    private static let large = Route(
        Exchange(RequestMatch("GET", "/large"), reply: Reply(body: .counter(size: 1 << 20))))

    @Test("A client that does not read its answer is reset; one that reads slowly is not")
    func unread() throws {
        try run(Script(routes: [Self.large])) { play in
            play.takesWrites = false
            play.ask("GET /large")
            try play.book.check("slow", closed(play) { play.acknowledge(1000) }, is: nil)
            try play.book.check("stopped", closed(play), is: 6)
        }
    }

    @Test("That holds for an answer that is all written, and when its connection is to end", arguments: [false, true])
    func unreadEnd(closes: Bool) throws {
        try run { play in
            play.takesWrites = false
            play.ask("GET /", closes ? "Connection: close" : "X: y")
            if closes { try play.book.check("close", play.actions(), is: ["close 0"]) }
            try play.book.check("after", closed(play), is: 6)
        }
    }

    @Test("The time counts from the answer, not from the request, where the script was slow")
    func slowScript() throws {
        var slow = Self.large
        slow.exchange.reply?.delay = .seconds(100)
        try run(Script(routes: [slow])) { play in
            play.takesWrites = false
            play.ask("GET /large")
            // It is looked at every quarter of a minute.
            try play.book.check("after", closed(play), is: 17)
        }
    }

    @Test("What a round that is over, or a route, keeps waiting is let go after ten minutes", arguments: [false, true])
    func waitsForNothing(isStep: Bool) throws {
        let stall = Exchange(RequestMatch(nil, "*"), faults: [Fault(at: .request, do: .stall)])
        try run(isStep ? Script(steps: [Step(.exchange(stall))]) : Script(routes: [Route(stall)])) { play in
            play.ask("GET /")
            try play.book.check("after", closed(play, within: 100), is: 60)
        }
    }
}
