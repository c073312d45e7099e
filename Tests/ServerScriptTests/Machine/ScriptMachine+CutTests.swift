import Testing

@testable import ServerScript

@Suite struct CutTests {
    @Test("After a cut the last exchange may be asked for once more, on another connection")
    func again() throws {
        try ServerPlay.run(step("GET", "/1", lane: "A"), step("GET", "/2", lane: "A")) { play in
            play.connect(0)
            play.ask("GET /1")
            play.feed(.cut(PeerID(0)))
            play.feed(.closed(PeerID(0)))
            play.connect(1)
            play.ask("GET /1", on: 1)
            play.ask("GET /2", on: 1)
            try play.book.check("exhausted", play.machine.isExhausted)
            try play.book.check("violations", play.events().filter { $0.contains("violation") }, is: [])
            play.ask("GET /1", on: 1)
            try play.book.check("only once", play.wire(1).contains("got one more"))
        }
    }

    @Test("It need not be asked again")
    func optional() throws {
        try ServerPlay.run(step("GET", "/1", lane: "A"), step("GET", "/2", lane: "A")) { play in
            play.connect(0)
            play.ask("GET /1")
            play.feed(.closed(PeerID(0)))
            play.feed(.cut(PeerID(0)))
            play.connect(1)
            play.ask("GET /2", on: 1)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }

    @Test("A request that was being read does not block its lane after a cut")
    func midRequest() throws {
        try ServerPlay.run(step("POST", "/1"), step("GET", "/2")) { play in
            play.connect(0)
            play.send("POST /1 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n\r\nab", on: 0)
            play.feed(.cut(PeerID(0)))
            play.feed(.closed(PeerID(0)))
            play.connect(1)
            play.post("/1", "abcde", on: 1)
            play.ask("GET /2", on: 1)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }
}
