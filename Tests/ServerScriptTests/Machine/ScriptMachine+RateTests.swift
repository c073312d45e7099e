import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite struct RateTests {
    @Test("The head goes at once, each byte behind it when it is due")
    func sending() throws {
        try ServerPlay.run(step("GET", "/", Reply(body: .text("abc"), sendRate: 2))) { play in
            play.connect()
            play.ask("GET /")
            try play.book.check("body at once", play.body(), is: "")
            for byte in ["a", "b", "c"] {
                try play.book.expectDeadline(in: .milliseconds(500))
                try play.advance(.milliseconds(499))
                try play.book.check("too early", play.wire(), is: "")
                try play.advance(.milliseconds(1))
                try play.book.check("when it is due", play.wire(), is: byte)
            }
            try play.book.check("exhausted", play.events().last, is: "0/0 exhausted")
        }
    }

    @Test("A rate composes with pauses, chunks and faults: they come on top")
    func composition() throws {
        let reply = Reply(
            body: .text("abcd"), framing: .chunked(size: 16), timeline: [.chunk(2), .wait(.seconds(3)), .chunk(2)],
            sendRate: 350, faults: [Fault(at: .chunk(1, .data), do: .fin)])
        try ServerPlay.run(step("GET", "/", reply)) { play in
            play.connect()
            play.ask("GET /")
            _ = play.body()
            try play.advance(.milliseconds(20))
            try play.book.check("one chunk of seven bytes", play.wire(), is: "2\r\nab\r\n")
            try play.book.expectDeadline(in: .seconds(3))
            try play.advance(.seconds(3))
            try play.book.check("nothing yet", play.wire(), is: "")
            try play.advance(.milliseconds(20))
            try play.book.check("the rest", play.wire(), is: "2\r\ncd")
            try play.book.check("actions", play.actions(), is: ["close 0"])
        }
    }

    @Test("The request's body is read as fast as the rate says, and the client is held back")
    func reading() throws {
        let exchange = Exchange(RequestMatch("POST", "/"), reply: Reply(), readRate: 100)
        try ServerPlay.run(Step(.exchange(exchange))) { play in
            play.connect()
            play.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10\r\n\r\n01234")
            try play.book.check("held back", play.actions(), is: ["reading 0 off"])
            try play.advance(.milliseconds(40))
            try play.book.check("read on", play.actions(), is: ["reading 0 on"])
            play.send("56789")
            try play.book.check("held back", play.actions(), is: ["reading 0 off"])
            try play.advance(.milliseconds(59))
            try play.book.check("no answer yet", play.wire(), is: "")
            try play.advance(.milliseconds(1))
            try play.book.check("answer", play.wire().hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("A client that has said all it has to say still gets a slow answer whole")
    func halfClosedClient() throws {
        try ServerPlay.run(step("GET", "/", Reply(body: .text("abc"), sendRate: 10))) { play in
            play.connect()
            play.ask("GET /")
            play.feed(.inputClosed(PeerID(0)))
            _ = play.body()
            for _ in 0..<3 { try play.advance(.milliseconds(100)) }
            try play.book.check("body", play.wire(), is: "abc")
            try play.book.check("then the end", play.actions(), is: ["close 0"])
        }
    }
}
