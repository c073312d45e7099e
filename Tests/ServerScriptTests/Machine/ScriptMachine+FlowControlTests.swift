import NIOCore
import Testing

@testable import ServerScript

@Suite struct FlowControlTests {
    @Test("A body of one gibibyte is generated only as fast as the transport takes it")
    func gibibyte() throws {
        try ServerPlay.run(step("GET", "/", Reply(body: .counter(size: 1 << 30)))) { play in
            play.takesWrites = false
            play.connect()
            play.ask("GET /")
            var received = play.bytes()
            try play.book.check("first window", received.count, is: 256 << 10)
            let head = received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0
            for round in 1...8 {
                play.acknowledge(100_000)
                let more = play.bytes()
                try play.book.check("round \(round)", more.count, is: 100_000)
                received += more
            }
            let body = Array(received[head...])
            let wanted = Content.counter(size: 1 << 30).bytes(at: 0, count: body.count)
            try play.book.check("bytes", body == Array(wanted.readableBytesView))
            try play.book.check("nothing without credit", play.bytes().count, is: 0)
        }
    }

    @Test("The far end of a gibibyte can be asked for at no cost")
    func farRange() throws {
        let reply = Reply(status: 206, body: .counter(size: 1 << 30), isRanged: true)
        try ServerPlay.run(step("GET", "/", reply)) { play in
            play.connect()
            play.ask("GET /", "Range: bytes=-16")
            try play.book.check("body", play.body(), is: "3ffffff03ffffff8")
        }
    }

    @Test("Tiny segments are bounded by their number")
    func segments() throws {
        let reply = Reply(body: .counter(size: 100_000), timeline: [.split(1)])
        try ServerPlay.run(step("GET", "/", reply)) { play in
            play.takesWrites = false
            play.connect()
            play.ask("GET /")
            try play.book.check("writes under way", play.writes().count, is: 1024)
        }
    }

    @Test("A client that sends on while its request is being answered is held back")
    func input() throws {
        try ServerPlay.run(step("GET", "/", Reply(delay: .seconds(1)))) { play in
            play.connect()
            play.ask("GET /")
            for _ in 0..<4 { play.feed(.received(PeerID(0), ByteBuffer(repeating: 0x61, count: 64 << 10))) }
            try play.book.check("actions", play.actions(), is: ["reading 0 off"])
            try play.advance(.seconds(1))
            try play.book.check("then the rubbish ends the connection", play.actions(), is: ["close 0"])
        }
    }

    @Test("A large request body is judged and recorded without being kept")
    func largeUpload() throws {
        let content = Content.counter(size: 1 << 20)
        let exchange = Exchange(RequestMatch("POST", "/", body: .equals(content)), reply: Reply(status: 201))
        try ServerPlay.run(Step(.exchange(exchange))) { play in
            play.connect()
            play.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(1 << 20)\r\n\r\n")
            for offset in stride(from: 0, to: 1 << 20, by: 64 << 10) {
                play.feed(.received(PeerID(0), content.bytes(at: offset, count: 64 << 10)))
            }
            try play.book.check("answer", play.wire().hasPrefix("HTTP/1.1 201"))
            try play.book.check("actions", play.actions(), is: [])
            try play.book.check("journal", play.events().contains("0/0 body \(1 << 20)"))
        }
    }

    @Test("Repeated raw writes wait for the transport too")
    func rawWrites() throws {
        let bytes = [UInt8](repeating: 0x61, count: 100 << 10)
        try ServerPlay.run(Step(.write(bytes), times: 1_000_000)) { play in
            play.takesWrites = false
            play.connect()
            try play.book.check("under way", play.writes().count, is: 3)
            play.acknowledge(100 << 10)
            try play.book.check("then", play.writes().count, is: 1)
        }
    }

    @Test("Inputs and outputs stay small values")
    func strides() {
        #expect(MemoryLayout<ScriptInput>.stride <= 64)
        #expect(MemoryLayout<ScriptOutput>.stride <= 64)
    }
}
