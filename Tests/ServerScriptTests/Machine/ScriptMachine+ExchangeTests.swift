import HTTPBasics
import MachineContract
import NIOCore
import Testing

@testable import ServerScript

@Suite struct ExchangeTests {
    static let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

    @Test("A whole exchange: every journal entry and every byte")
    func whole() throws {
        try ServerPlay.run(step("POST", "/x", Reply(body: .text("hi")))) { play in
            play.connect()
            play.post("/x", "data")
            try play.book.check(
                "wire", play.wire(), is: "HTTP/1.1 200 OK\r\n\(Self.date)Content-Length: 2\r\n\r\nhi")
            try play.book.check(
                "journal", play.events(),
                is: ["0/0 accepted", "0/0 request POST /x", "0/0 body 4", "0/0 answered 200", "0/0 exhausted"])
            try play.book.check("actions", play.actions(), is: [])
        }
    }

    @Test("The journal carries times, and never more of a credential than its scheme")
    func journal() throws {
        let machine = ScriptMachine(script: Script(steps: [step("GET", "/")]), origins: [:])
        var outputs: [ScriptOutput] = []
        let moment = Moment(instant: Instant(nanoseconds: 7), date: UnixTime(seconds: 0), entropy: 0)
        machine.handle(.accepted(PeerID(3), host: "a.test"), at: moment, into: &outputs)
        let text = "GET / HTTP/1.1\r\nHost: a.test\r\nAuthorization: Basic c2VjcmV0\r\nX: y\r\n\r\n"
        machine.handle(.received(PeerID(3), ByteBuffer(string: text)), at: moment, into: &outputs)
        let fields = Fields([.init("Host", "a.test"), .init("Authorization", "Basic"), .init("X", "y")])
        let request = RecordedRequest(method: "GET", target: "/", fields: fields, lane: nil, host: "a.test")
        let event = ServerEvent(peer: PeerID(3), exchange: 0, instant: moment.instant, kind: .request(request))
        #expect(outputs.contains(.journal(event)))
        #expect(!outputs.contains { String(describing: $0).contains("c2VjcmV0") })
    }

    @Test(
        "Bodiless answers: HEAD keeps the length, 204 and 304 have none",
        arguments: [
            ("HEAD", Reply(body: .text("abc")), "HTTP/1.1 200 OK\r\n\(date)Content-Length: 3\r\n\r\n"),
            ("GET", Reply(status: 204, body: .text("abc")), "HTTP/1.1 204 No Content\r\n\(date)\r\n"),
            ("GET", Reply(status: 304, body: .text("abc")), "HTTP/1.1 304 Not Modified\r\n\(date)\r\n"),
            (
                "HEAD", Reply(body: .text("abc"), framing: .chunked(size: 1), timeline: [.bytes(1), .rest, .trailers]),
                "HTTP/1.1 200 OK\r\n\(date)Transfer-Encoding: chunked\r\n\r\n"
            ),
        ])
    func bodiless(method: String, reply: Reply, wanted: String) throws {
        try ServerPlay.run(step(method, "/", reply)) { play in
            play.connect()
            play.ask("\(method) /")
            try play.book.check("wire", play.wire(), is: wanted)
        }
    }

    @Test("The connection closes when it says so, when the client says so, and when nothing else ends the body")
    func closing() throws {
        let closing = Reply(fields: Fields([.init("Connection", "Close")]))
        for reply in [closing, Reply(framing: .close)] {
            try ServerPlay.run(step("GET", "/", reply)) { play in
                play.connect()
                play.ask("GET /")
                try play.book.check("actions", play.actions(), is: ["close 0"])
                try play.book.check("told", play.wire().lowercased().contains("connection: close"))
            }
        }
        try ServerPlay.run(step("GET", "/")) { play in
            play.connect()
            play.ask("GET /", "Connection: close")
            try play.book.check("actions", play.actions(), is: ["close 0"])
            try play.book.check("told", play.wire().contains("Connection: close\r\n"))
        }
        try ServerPlay.run(step("GET", "/", Reply(body: .text("abc"), framing: .chunked(size: 1)))) { play in
            play.connect()
            play.send("GET / HTTP/1.0\r\n\r\n")
            try play.book.check("body", play.body(), is: "abc")
            try play.book.check("actions", play.actions(), is: ["close 0"])
        }
    }

    @Test("Pipelined requests are answered one after another")
    func pipelining() throws {
        try ServerPlay.run(step("GET", "/1", Reply(delay: .seconds(1))), step("GET", "/2")) { play in
            play.connect()
            play.send("GET /1 HTTP/1.1\r\nHost: a.test\r\n\r\nGET /2 HTTP/1.1\r\nHost: a.test\r\n\r\n")
            try play.book.check("nothing yet", play.wire(), is: "")
            try play.advance(.seconds(1))
            try play.book.check("both", play.wire().split(separator: "HTTP/1.1 200").count, is: 2)
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }

    @Test("Informational answers go before the final one, each after its delay")
    func interims() throws {
        let early = Interim(status: 103, fields: Fields([.init("Link", "</a>")]))
        let late = Interim(status: 102, delay: .seconds(2))
        try ServerPlay.run(step("GET", "/", Reply(interim: [early, late]))) { play in
            play.connect()
            play.ask("GET /")
            try play.book.check("first", play.wire(), is: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            try play.book.expectDeadline(in: .seconds(2))
            try play.advance(.seconds(2))
            try play.book.check("then", play.wire().hasPrefix("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n"))
        }
    }

    @Test("A scripted 100 goes out before the body of a client that expects it")
    func expectContinue() throws {
        try ServerPlay.run(step("POST", "/", Reply(interim: [Interim(status: 100)]))) { play in
            play.connect()
            play.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")
            try play.book.check("early", play.wire(), is: "HTTP/1.1 100 Continue\r\n\r\n")
            play.send("x")
            try play.book.check("final", play.wire().hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test(
        "read-body stops reading at its limit and closes after the answer",
        arguments: [
            (ReadBody.none, "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\n", 0),
            (.part(bytes: 3), "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\nabcdef", 3),
            (.none, "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", 0),
        ])
    func partialBody(readBody: ReadBody, request: String, count: Int) throws {
        let exchange = Exchange(RequestMatch("POST", "/"), reply: Reply(status: 413), readBody: readBody)
        try ServerPlay.run(Step(.exchange(exchange))) { play in
            play.connect()
            play.send(request)
            try play.book.check("actions", play.actions(), is: ["close 0"])
            try play.book.check("told", play.wire().contains("Connection: close"))
            try play.book.check("body", play.events().contains("0/0 body \(count)"))
        }
    }

    @Test("A held-back answer keeps the rest of the body unread")
    func heldReading() throws {
        let exchange = Exchange(RequestMatch("POST", "/"), reply: Reply(delay: .seconds(1)), readBody: .part(bytes: 2))
        try ServerPlay.run(Step(.exchange(exchange))) { play in
            play.connect()
            play.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\nabc")
            try play.book.check("actions", play.actions(), is: ["reading 0 off"])
            try play.advance(.seconds(1))
            try play.book.check("actions", play.actions(), is: ["close 0"])
        }
    }

    @Test("A body that is read to its end keeps the connection", arguments: [ReadBody.none, .part(bytes: 5)])
    func wholeBodyAnyway(readBody: ReadBody) throws {
        let exchange = Exchange(RequestMatch("POST", "/"), reply: Reply(), readBody: readBody)
        try ServerPlay.run(Step(.exchange(exchange)), step("GET", "/2")) { play in
            play.connect()
            play.post("/", readBody == .none ? "" : "abcde")
            play.ask("GET /2")
            try play.book.check("exhausted", play.machine.isExhausted)
        }
    }

    @Test("A malformed request is answered 400 and ends the connection")
    func malformed() throws {
        try ServerPlay.run(step("GET", "/")) { play in
            play.connect()
            play.send("GET / HTTP/1.1\r\n\r\n")
            try play.book.check("wire", play.wire().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            try play.book.check("journal", play.events().contains("0/0 violation malformed request: no Host"))
            try play.book.check("actions", play.actions(), is: ["close 0"])
        }
    }

    @Test("A malformed body is answered 400 too")
    func malformedBody() throws {
        try ServerPlay.run(step("POST", "/")) { play in
            play.connect()
            play.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n")
            try play.book.check("wire", play.wire().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            let text = "0/0 violation malformed request body: chunk size is not hexadecimal"
            try play.book.check("journal", play.events().contains(text))
        }
    }

    @Test("Ranged and compressed bodies compose with chunks and faults")
    func composition() throws {
        let reply = Reply(
            status: 206, body: .compressed(.counter(size: 4096), .gzip), framing: .chunked(size: 7), isRanged: true,
            faults: [Fault(at: .body(10), do: .fin)])
        try ServerPlay.run(step("GET", "/", reply)) { play in
            play.connect()
            play.ask("GET /", "Range: bytes=4-40")
            let bytes = play.bytes()
            let content = Content.compressed(.counter(size: 4096), .gzip).bytes(at: 4, count: 10)
            let data = Array(content.readableBytesView)
            let wanted = Array("7\r\n".utf8) + data[..<7] + Array("\r\n7\r\n".utf8) + data[7...]
            try play.book.check("end of the wire", Array(bytes.suffix(wanted.count)), is: wanted)
            try play.book.check("actions", play.actions(), is: ["close 0"])
        }
    }

    @Test("$origin is put into fields and bodies")
    func origin() throws {
        let reply = Reply(
            status: 302, fields: Fields([.init("Location", "$origin.b.test/x")]), body: .text("<$origin>"))
        let script = Script(hosts: ["a.test", "b.test"], steps: [step("GET", "/", reply)])
        let origins = ["a.test": "http://a.test:80", "b.test": "http://b.test:81"]
        try ServerPlay.run(script, origins: origins) { play in
            play.connect()
            play.ask("GET /")
            let wire = play.wire()
            try play.book.check("location", wire.contains("Location: http://b.test:81/x\r\n"))
            try play.book.check("body", wire.hasSuffix("Content-Length: 18\r\n\r\n<http://a.test:80>"))
        }
    }
}
