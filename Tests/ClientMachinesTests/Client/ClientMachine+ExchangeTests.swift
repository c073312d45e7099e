import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// Whole exchanges over a network that the test plays.
@Suite struct ExchangeTests {
    @Test func `one GET from the name to the last byte`() throws {
        try ClientPlay.play { book in
            book.start(1)
            try book.expect(["resolve 1 example.com:80"])
            book.resolve(1)
            try book.expect(["connect 1 192.0.2.1:80"])
            book.feed(.connected(ConnectionID(1)))
            try book.expect(["write 1 GET /a HTTP/1.1"])
            book.receive(1, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
            try book.expect(["task 1: response 200, expecting 5", "task 1: data 3"])
            book.receive(1, "lo")
            try book.expect(["task 1: data 2", "task 1: complete"])
            // Only the idle connection's time runs on.
            try book.expectDeadline(in: .seconds(60))
        }
    }

    @Test(arguments: [
        // what came, the body that goes with the question
        (ClientPlay.ok, "ok"), ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no", nil),
        // Two zlib bytes that decode to something else
        ("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 2\r\n\r\nxx", nil),
    ]) func `a question about a response carries the body that is bound to be told next`(text: String, rest: String?)
        throws
    {
        try ClientPlay.play { book in
            try book.startOpen(1, ClientPlay.plan(asks: .response), connection: 1)
            book.receive(1, text)
            let found = try book.foreseen()
            #expect(found == rest.map { ByteBuffer(string: $0) })
        }
    }

    @Test func `while the transport has not taken the whole request, nothing is known ahead`() throws {
        try ClientPlay.play { book in
            let plan = ClientPlay.plan(method: "POST", body: ByteBuffer(string: "abc"), asks: .response)
            for isTaken in [false, true] {
                try book.startOpen(isTaken ? 2 : 1, plan, connection: isTaken ? 2 : 1)
                if isTaken { book.feed(.wrote(ConnectionID(2), bytes: 1000)) }
                _ = book.take()
                book.receive(isTaken ? 2 : 1, ClientPlay.ok)
                let rest = try book.foreseen()
                #expect((rest != nil) == isTaken)
            }
        }
    }

    @Test func `a kept connection carries the next task, nothing is dialled`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            book.start(2, ClientPlay.plan("/b"))
            try book.expect(["write 1 GET /b HTTP/1.1"])
            book.receive(1, ClientPlay.ok)
            try book.expect(["task 2: response 200, expecting 2", "task 2: data 2", "task 2: complete"])
        }
    }

    @Test func `another host gets another connection`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            book.start(2, ClientPlay.plan(host: "other"))
            try book.expect(["resolve 2 other:80"])
        }
    }

    @Test func `a redirect goes on over the same connection`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            book.receive(1, "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 3\r\n\r\nbye")
            try book.expect(["task 1: request GET http://example.com/b", "write 1 GET /b HTTP/1.1"])
            book.receive(1, ClientPlay.ok)
            try book.expect(["task 1: response 200, expecting 2", "task 1: data 2", "task 1: complete"])
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokMORE", ["close 1"]),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok", ["close 1"]),
        ("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", ["close 1"]),
        (ClientPlay.ok, []),
    ])
    func `a connection that cannot be trusted or kept is closed, the response counts`(
        wire: String, closing: [String]
    ) throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            book.receive(1, wire)
            try book.expect(
                ["task 1: response 200, expecting 2", "task 1: data 2"] + closing + ["task 1: complete"])
        }
    }

    @Test(arguments: [
        ClientInput.inputClosed(ConnectionID(1)), .received(ConnectionID(1), ByteBuffer(string: "HTTP/1.1 408\r\n")),
    ])
    func `an idle connection that its peer closes or speaks on is closed`(_ input: ClientInput) throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            book.feed(input)
            try book.expect(["close 1"])
            book.start(2)
            try book.expect(["resolve 2 example.com:80"])
            // The first is the dial's: whether it is still wanted.
            try book.expectDeadline(in: .seconds(10))
        }
    }

    @Test func `an idle connection that breaks is forgotten`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            book.feed(.closed(ConnectionID(1)))
            try book.expect([])
            try book.expectDeadline(in: nil)
            book.start(2)
            try book.expect(["resolve 2 example.com:80"])
        }
    }

    @Test func `an idle connection is closed when its time is up`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            try book.advance(by: .milliseconds(59_999))
            try book.expect([])
            try book.advance(by: .milliseconds(1))
            try book.expect(["close 1"])
            try book.expectDeadline(in: nil)
        }
    }

    @Test(arguments: [
        (ClientInput.inputClosed(ConnectionID(1)), ["close 1", "resolve 2 example.com:80"]),
        (.closed(ConnectionID(1)), ["resolve 2 example.com:80"]),
    ])
    func `a stale connection is replaced once, invisibly`(loss: ClientInput, outputs: [String]) throws {
        // With one place only, too: the fresh connection takes the stale one's.
        for limit in [1, 6] {
            try ClientPlay.play(limit: limit) { book in
                try book.warmUp(1, connection: 1)
                book.start(2)
                try book.expect(["write 1 GET /a HTTP/1.1"])
                book.feed(loss)
                try book.expect(outputs)
                book.open(2)
                try book.expect(["connect 2 192.0.2.1:80", "write 2 GET /a HTTP/1.1"])
                book.feed(.closed(ConnectionID(2)))
                try book.expect(["task 2: complete networkConnectionLost"])
            }
        }
    }

    // BEHAVIOUR 1.E1-post
    @Test func `a POST on a stale connection fails, nobody knows whether it arrived`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            book.start(2, ClientPlay.plan(method: "POST", body: ByteBuffer(string: "x")))
            try book.expect(["write 1 POST /a HTTP/1.1"])
            book.feed(.closed(ConnectionID(1)))
            try book.expect(["task 2: complete networkConnectionLost"])
        }
    }

    // BEHAVIOUR 1.E1-young
    @Test func `a POST goes out when its connection was looked at`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            book.sleep(.seconds(2))
            book.start(2, ClientPlay.plan(method: "POST", body: ByteBuffer(string: "x")))
            try book.expect(["look 1"])
            book.feed(.looked(ConnectionID(1)))
            try book.expect(["write 1 POST /a HTTP/1.1"])
            book.feed(.looked(ConnectionID(1)))
            try book.expect([])
        }
    }

    // BEHAVIOUR 1.E1-young
    @Test(arguments: [
        (ClientInput.inputClosed(ConnectionID(1)), ["close 1"]), (.closed(ConnectionID(1)), ["close 1"]),
        (.received(ConnectionID(1), ByteBuffer(string: "HTTP/1.1 408")), ["close 1"]),
    ])
    func `a connection that turns out to have ended is passed over, for the next one and then a new one`(
        end: ClientInput, outputs: [String]
    ) throws {
        for limit in [1, 6] {
            try ClientPlay.play(limit: limit) { book in
                try book.warmUp(1, connection: 1)
                book.sleep(.seconds(2))
                book.start(2, ClientPlay.plan(method: "POST", body: ByteBuffer(string: "x")))
                try book.expect(["look 1"])
                book.feed(end)
                try book.expect(outputs + ["resolve 2 example.com:80"])
                book.open(2)
                try book.expect(["connect 2 192.0.2.1:80", "write 2 POST /a HTTP/1.1"])
                book.feed(.looked(ConnectionID(1)), .closed(ConnectionID(1)))
                try book.expect([])
            }
        }
    }

    // BEHAVIOUR 2.G2
    @Test func `what was received for another task on a connection that is looked at is not counted`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            book.sleep(.seconds(2))
            var plan = ClientPlay.plan(method: "POST", body: ByteBuffer(string: "x"))
            plan.metrics = .told
            book.start(2, plan)
            book.feed(.inputClosed(ConnectionID(1)), .resolveFailed(DialID(2), .v6, detail: ""))
            book.feed(.resolveFailed(DialID(2), .v4, detail: ""))
            let metrics = book.take().compactMap { output -> TaskMetrics? in
                if case .tell(_, .metrics(let metrics)) = output { metrics } else { nil }
            }
            let transactions = metrics.flatMap(\.transactions)
            try book.check("transactions", transactions.map(\.received), is: [Transaction.Bytes()])
        }
    }

    @Test func `a task that ends while its connection is looked at leaves nothing behind`() throws {
        try ClientPlay.play { book in
            try book.warmUp(1, connection: 1)
            book.sleep(.seconds(2))
            book.start(2, ClientPlay.plan(method: "POST", body: ByteBuffer(string: "x")))
            book.feed(.cancel(TaskID(2), keepingResumeData: false))
            try book.expect(["look 1", "close 1", "task 2: complete cancelled"])
            book.feed(.looked(ConnectionID(1)))
            try book.expect([])
            try book.check("connections", book.machine.connections.isEmpty)
        }
    }

    @Test func `a reset after part of the body still delivers what came before`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhello")
            book.feed(.closed(ConnectionID(1)))
            try book.expect([
                "task 1: response 200, expecting 99", "task 1: data 5", "task 1: complete networkConnectionLost",
            ])
        }
    }

    @Test func `a reset while the user is behind waits until he has what came before`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n0123456789")
            book.receive(1, "and more")
            book.feed(.closed(ConnectionID(1)))
            try book.expect(["task 1: response 200, expecting 99", "task 1: data 10", "reading 1 off"])
            book.feed(.delivered(TaskID(1), bytes: 10))
            try book.expect(["task 1: data 8", "task 1: complete networkConnectionLost"])
        }
    }

    @Test func `a slow user holds the socket back`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            book.receive(1, "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n0123456789")
            try book.expect(["task 1: response 200, expecting 30", "task 1: data 10", "reading 1 off"])
            // What was on its way already is kept, not delivered.
            book.receive(1, "0123456789")
            try book.expect([])
            book.feed(.delivered(TaskID(1), bytes: 1))
            try book.expect(["task 1: data 10"])
            book.feed(.delivered(TaskID(1), bytes: 18))
            try book.expect(["reading 1 on"])
            book.receive(1, "0123456789")
            try book.expect(["task 1: data 10", "reading 1 off"])
            book.feed(.delivered(TaskID(1), bytes: 11))
            try book.expect(["reading 1 on", "task 1: complete"])
        }
    }

    @Test func `suspension holds the socket back, and the wire may fall silent`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            book.feed(.suspend(TaskID(1)))
            try book.expect(["reading 1 off"])
            try book.advance(by: .seconds(3600))
            try book.expect([])
            book.feed(.resume(TaskID(1)))
            try book.expect(["reading 1 on"])
            try book.expectDeadline(in: .seconds(60))
        }
    }

    @Test func `a head that drips in is no silence`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            for byte in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" {
                try book.advance(by: .seconds(59))
                for scalar in byte.unicodeScalars { book.receive(1, String(scalar)) }
            }
            try book.expect(["task 1: response 200, expecting 0", "task 1: complete"])
        }
    }

    @Test func `silence ends a task and its connection`() throws {
        try ClientPlay.play { book in
            try book.startOpen(1, connection: 1)
            try book.advance(by: .seconds(60))
            try book.expect(["close 1", "task 1: complete timedOut"])
            try book.expectDeadline(in: nil)
        }
    }

    @Test func `bytes of an earlier exchange are not counted for the next one`() throws {
        try ClientPlay.play { book in
            let connection = ConnectionID(1)
            book.start(1, ClientPlay.plan(method: "POST", body: ByteBuffer(string: "body")))
            book.open(1)
            let first = written(book.take())
            // The answer is there before the transport has reported what it took.
            book.receive(1, ClientPlay.ok)
            _ = book.take()
            book.start(2, ClientPlay.plan(method: "POST", body: ByteBuffer(string: "two")))
            let second = written(book.take())
            book.feed(.wrote(connection, bytes: first - 10))
            try book.expect([])
            book.feed(.wrote(connection, bytes: 10 + second - 2))
            try book.expect(["task 2: sent 1, 1 of 3"])
            book.feed(.wrote(connection, bytes: 1))
            try book.expect(["task 2: sent 1, 2 of 3"])
            book.feed(.wrote(connection, bytes: 1))
            try book.expect(["task 2: sent 1, 3 of 3"])
        }
    }

    @Test func `bytes of an earlier exchange do not end the silence of the next one`() throws {
        try ClientPlay.play { book in
            book.start(1)
            book.open(1)
            let first = written(book.take())
            book.receive(1, ClientPlay.ok)
            book.start(2)
            _ = book.take()
            try book.advance(by: .seconds(10))
            book.feed(.wrote(ConnectionID(1), bytes: first))
            try book.advance(by: .seconds(50))
            try book.expect(["close 1", "task 2: complete timedOut"])
        }
    }

    // BEHAVIOUR 2.F4-last: a delegate is told of an end before its answer is back.
    @Test func `a connection is as old as its last bytes, not as the answer about them`() throws {
        try ClientPlay.play { book in
            for number in 1...2 { try book.startOpen(number, ClientPlay.plan(asks: .response), connection: number) }
            book.receive(1, String(ClientPlay.ok.dropLast()))
            book.receive(2, ClientPlay.ok)
            book.receive(1, "k")
            for question in 1...2 { book.feed(.answer(QuestionID(question), .response(allow: true))) }
            _ = book.take()
            book.start(3)
            try book.check("the connection", book.take().first?.summary.hasPrefix("write 1") == true)
        }
    }

    @Test func `nothing is written to a connection that is gone`() throws {
        try ClientPlay.play { book in
            book.start(1, ClientPlay.plan(method: "POST", body: ByteBuffer(repeating: 0, count: 1_000_000)))
            book.open(1)
            let first = written(book.take())
            book.feed(.suspend(TaskID(1)), .wrote(ConnectionID(1), bytes: first), .closed(ConnectionID(1)))
            try book.expect(["reading 1 off", "task 1: sent 65536, 65536 of 1000000"])
            book.feed(.resume(TaskID(1)))
            try book.expect(["task 1: complete networkConnectionLost"])
        }
    }

    private func written(_ outputs: [ClientOutput]) -> Int {
        outputs.reduce(0) { sum, output in
            guard case .write(_, let bytes) = output else { return sum }
            return sum + bytes.readableBytes
        }
    }
}
