import Testing

@testable import ServerScript

@Suite struct CutTests {
    @Test("After a cut the last exchange may be asked for once more, on another connection")
    func again() throws {
        try ServerPlay.run(step("GET", "/1", lane: "A"), step("GET", "/2", lane: "A")) { play in
            play.connect(0)
            play.ask("GET /1")
            play.feed(.cut(PeerID(0), sent: 0))
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

    @Test("Nothing is offered again once a byte of the answer has left, nor what must not be repeated")
    func notAgain() throws {
        for (method, sent) in [("GET", 1), ("POST", 0)] {
            try ServerPlay.run(step(method, "/1")) { play in
                play.connect(0)
                play.ask("\(method) /1")
                play.feed(.cut(PeerID(0), sent: sent))
                play.connect(1)
                play.ask("\(method) /1", on: 1)
                try play.book.check("violation", play.wire(1).contains("got one more"))
            }
        }
    }

    @Test("A second exchange's answer begins where the first one's ended")
    func second() throws {
        try ServerPlay.run(step("GET", "/1"), step("GET", "/2")) { play in
            play.connect(0)
            play.ask("GET /1")
            let sent = play.wire(0).utf8.count
            play.ask("GET /2")
            play.feed(.cut(PeerID(0), sent: sent))
            play.connect(1)
            play.ask("GET /2", on: 1)
            try play.book.check("violations", play.events().filter { $0.contains("violation") }, is: [])
        }
    }

    @Test("After a cut a step may come on any connection, out of its order, and with other fields")
    func displaced() throws {
        let ranged = step("GET", "/4", lane: "A", fields: [.init("Range", .equals("bytes=7-"))])
        try ServerPlay.run(
            step("GET", "/1", lane: "A"), step("GET", "/2", lane: "B"), step("GET", "/3", lane: "A"), ranged
        ) { play in
            play.connect(0)
            play.ask("GET /1")
            play.connect(1)
            play.ask("GET /2", on: 1)
            play.feed(.cut(PeerID(1), sent: 5))
            play.connect(2)
            play.ask("GET /4", "Range: bytes=3-", on: 2)
            play.ask("GET /3", on: 2)
            try play.book.check("exhausted", play.machine.isExhausted)
            try play.book.check("violations", play.events().filter { $0.contains("violation") }, is: [])
        }
    }

    @Test("It need not be asked again")
    func optional() throws {
        try ServerPlay.run(step("GET", "/1", lane: "A"), step("GET", "/2", lane: "A")) { play in
            play.connect(0)
            play.ask("GET /1")
            play.feed(.closed(PeerID(0)))
            play.feed(.cut(PeerID(0), sent: 0))
            play.connect(1)
            play.ask("GET /2", on: 1)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }

    @Test("A request that was being read does not block its lane after a cut")
    func midRequest() throws {
        try ServerPlay.run(step("PUT", "/1"), step("GET", "/2")) { play in
            play.connect(0)
            play.send("PUT /1 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n\r\nab", on: 0)
            play.feed(.cut(PeerID(0), sent: 0))
            play.feed(.closed(PeerID(0)))
            play.connect(1)
            play.send("PUT /1 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n\r\nabcde", on: 1)
            play.ask("GET /2", on: 1)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }
}
