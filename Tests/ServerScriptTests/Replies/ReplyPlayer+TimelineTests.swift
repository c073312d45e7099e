import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite struct TimelineTests {
    static let digits = Content.text("0123456789")

    private func play(_ timeline: [SendStep], _ framing: Reply.Framing = .length, _ body: (ServerPlay) throws -> Void)
        throws
    {
        let reply = Reply(body: Self.digits, framing: framing, timeline: timeline)
        try ServerPlay.run(step("GET", "/", reply)) { play in
            play.connect()
            play.ask("GET /")
            try body(play)
        }
    }

    @Test("A dribble: two bytes, then four times two more, 900 ms apart")
    func dribble() throws {
        try play([.bytes(2), .repeat(4, [.wait(.milliseconds(900)), .bytes(2)])]) { play in
            try play.book.check("at once", play.body(), is: "01")
            for wanted in ["23", "45", "67", "89"] {
                try play.book.expectDeadline(in: .milliseconds(900))
                try play.advance(.milliseconds(900))
                try play.book.check("then", play.wire(), is: wanted)
            }
            try play.book.expectDeadline(in: nil)
            try play.book.check("exhausted", play.events().last, is: "0/0 exhausted")
        }
    }

    @Test("A stall keeps the rest of the body back for ever")
    func stall() throws {
        try play([.bytes(2), .stall]) { play in
            try play.book.check("body", play.body(), is: "01")
            try play.advance(.seconds(1000))
            try play.book.check("nothing more", play.wire(), is: "")
            try play.book.check("actions", play.actions(), is: [])
            play.feed(.inputClosed(PeerID(0)))
            try play.book.check("actions", play.actions(), is: ["close 0"])
        }
    }

    @Test(
        "What the timeline leaves over is sent after it",
        arguments: [
            ([SendStep.bytes(3)], "0123456789"), ([.bytes(3), .rest, .bytes(4)], "0123456789"),
            ([.raw(.text("<>")), .bytes(1)], "<>0123456789"), ([.rest, .raw(.text("!"))], "0123456789!"),
            ([.bytes(-1), .bytes(.max)], "0123456789"),
            ([.repeat(3, [.repeat(2, [.bytes(1)]), .raw(.bytes([45]))])], "01-23-45-6789"),
            ([.repeat(1_000_000_000, [.repeat(1_000_000_000, [.bytes(1)])])], "0123456789"),
            ([.repeat(1_000_000_000, [])], "0123456789"),
        ] as [([SendStep], String)])
    func leftOver(timeline: [SendStep], wanted: String) throws {
        try play(timeline) { play in try play.book.check("body", play.body(), is: wanted) }
    }

    @Test("Chunk steps set the chunks; the rest and the end of the body follow")
    func chunks() throws {
        try play([.chunk(1), .chunk(6)]) { play in
            try play.book.check("body", play.body(), is: "1\r\n0\r\n6\r\n123456\r\n3\r\n789\r\n0\r\n\r\n")
        }
        try play([.bytes(5), .chunk(4)], .chunked(size: 3)) { play in
            try play.book.check(
                "body", play.body(), is: "3\r\n012\r\n2\r\n34\r\n4\r\n5678\r\n1\r\n9\r\n0\r\n\r\n")
        }
    }

    @Test("Trailers can be timed apart from the body")
    func trailers() throws {
        let reply = Reply(
            body: .text("abc"), trailers: Fields([.init("X-Sum", "1")]),
            timeline: [.rest, .wait(.seconds(1)), .trailers, .wait(.seconds(1))])
        try ServerPlay.run(step("GET", "/", reply)) { play in
            play.connect()
            play.ask("GET /")
            try play.book.check("body", play.body(), is: "3\r\nabc\r\n")
            try play.advance(.seconds(1))
            try play.book.check("trailers", play.wire(), is: "0\r\nX-Sum: 1\r\n\r\n")
            try play.advance(.seconds(1))
            try play.book.check("nothing twice", play.wire(), is: "")
            try play.book.check("exhausted", play.events().last, is: "0/0 exhausted")
        }
    }

    @Test("A split cuts everything after it into segments of that size, each a write of its own")
    func split() throws {
        try play([.bytes(4), .split(3)]) { play in
            let sizes = play.writes()
            try play.book.check("sizes", Array(sizes.dropFirst()), is: [4, 3, 3])
        }
        try play([.split(1)], .chunked(size: 100)) { play in
            let sizes = play.writes()
            try play.book.check("all single bytes, head too", Set(sizes), is: [1])
            try play.book.check("body", play.body(), is: "a\r\n0123456789\r\n0\r\n\r\n")
        }
    }

    @Test("Signals order lanes: await waits for a signal of the client, or of another lane, and a given one stays")
    func signals() throws {
        let first = Reply(body: Self.digits, timeline: [.bytes(1), .await("go"), .rest, .signal("done")])
        let second = Reply(body: .text("b"), timeline: [.await("done")])
        try ServerPlay.run(step("GET", "/1", first, lane: "A"), step("GET", "/2", second, lane: "B")) { play in
            play.connect(0)
            play.connect(1)
            play.ask("GET /2", on: 1)
            play.ask("GET /1", on: 0)
            try play.book.check("A so far", play.body(0), is: "0")
            try play.book.check("B so far", play.body(1), is: "")
            play.feed(.signal("go"))
            try play.book.check("A", play.wire(0), is: "123456789")
            try play.book.check("B", play.wire(1), is: "b")
            try play.book.check("actions", play.actions(), is: ["signal done"])
            try play.book.check("exhausted", play.events().last?.hasSuffix("exhausted") == true)
        }
    }

    @Test("A signal that came before its await is not lost")
    func earlySignal() throws {
        try ServerPlay.run(step("GET", "/", Reply(body: .text("x"), timeline: [.await("go")]))) { play in
            play.feed(.signal("go"))
            play.connect()
            play.ask("GET /")
            try play.book.check("body", play.body(), is: "x")
        }
    }

    @Test("The delay of a reply counts from the end of the request")
    func delay() throws {
        try ServerPlay.run(step("POST", "/", Reply(delay: .seconds(3)))) { play in
            play.connect()
            play.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
            try play.advance(.seconds(10))
            play.send("x")
            try play.book.expectDeadline(in: .seconds(3))
            try play.advance(.seconds(3))
            try play.book.check("answered", play.wire().hasPrefix("HTTP/1.1 200"))
        }
    }
}
