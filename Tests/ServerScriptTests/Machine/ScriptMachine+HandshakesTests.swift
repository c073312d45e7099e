import HTTPBasics
import Testing

@testable import ServerScript

@Suite("Handshakes that go wrong on purpose")
struct ScriptMachineHandshakesTests {
    private static func script(_ effect: HandshakeFault.Effect, connection: Int? = nil, steps: [Step] = []) -> Script {
        var script = Script(steps: steps, routes: steps.isEmpty ? [route("GET", "*", Reply(body: .text("hi")))] : [])
        var tls = HostTLS()
        let mark = SourceMark(file: "s.yaml", line: 2, column: 9)
        tls.fault = HandshakeFault(at: .clientHello, do: effect, connection: connection, mark: mark)
        script.tls["a.test"] = tls
        return script
    }

    private func tell(_ news: HandshakeNews, _ play: ServerPlay, on peer: Int = 0) {
        play.feed(.handshake(PeerID(peer), news))
    }

    /// Looks every ten seconds, and says after how many of them the connection was closed; nil if it was not.
    private func closed(_ play: ServerPlay, within most: Int) throws -> Int? {
        for look in 1...most {
            try play.advance(.seconds(10))
            if play.actions().contains(where: ["close 0", "reset 0"].contains) { return look }
        }
        return nil
    }

    @Test("A client that a fault keeps waiting is kept for as long as one that waits for its answer: ten minutes")
    func stalled() throws {
        try ServerPlay.run(Self.script(.stall), repeats: true, peerTimeout: .seconds(60)) { play in
            play.connect()
            try play.book.check("spoilt", play.actions(), is: ["spoil 0"])
            tell(.stalled, play)
            try play.book.check("after", closed(play, within: 100), is: 60)
        }
    }

    @Test("A pause lasts as long as it is written; then the time counts for the client")
    func paused() throws {
        try ServerPlay.run(Self.script(.delay(.seconds(900))), repeats: true, peerTimeout: .seconds(60)) { play in
            play.connect()
            _ = play.actions()
            tell(.paused, play)
            try play.book.check("in the pause", closed(play, within: 100), is: nil)
            tell(.goesOn, play)
            // It is looked at every quarter of a minute.
            try play.book.check("behind it", closed(play, within: 20), is: 7)
        }
    }

    @Test("A pause that ends with the connection leaves nothing that is never closed")
    func pausedToTheEnd() throws {
        try ServerPlay.run(Self.script(.delay(.seconds(900))), repeats: true, peerTimeout: .seconds(60)) { play in
            play.connect()
            tell(.paused, play)
            play.feed(.inputClosed(PeerID(0)))
            try play.book.check("closed", play.actions(), is: ["spoil 0", "close 0"])
            tell(.goesOn, play)
        }
    }

    @Test("Without a fault a client has a minute for its handshake")
    func unspoilt() throws {
        try ServerPlay.run(Self.script(.stall, connection: 2), repeats: true, peerTimeout: .seconds(60)) { play in
            play.connect()
            try play.book.check("after", closed(play, within: 100), is: 6)
        }
    }

    @Test("Whoever waits in a handshake plays the round, as whoever waits for an answer does")
    func round() throws {
        let steps = [step("GET", "/1"), step("GET", "/2")]
        let script = Self.script(.delay(.seconds(30)), connection: 2, steps: steps)
        try ServerPlay.run(script, repeats: true, roundTimeout: .seconds(10), peerTimeout: .seconds(60)) { play in
            play.connect(0)
            play.ask("GET /1")
            play.connect(1)
            tell(.paused, play, on: 1)
            try play.advance(.seconds(30))
            tell(.goesOn, play, on: 1)
            _ = play.events()
            play.ask("GET /2", on: 1)
            try play.book.check("end", play.events().last, is: "1/0 exhausted")
        }
    }

    @Test("Connections count from the beginning of each round, and one whose turn never comes is owed")
    func rounds() throws {
        let script = Self.script(.reset, connection: 2, steps: [step("GET", "/")])
        try ServerPlay.run(script, repeats: true, roundTimeout: .seconds(10)) { play in
            for base in [0, 3] {
                play.connect(base)
                play.ask("GET /", on: base)
                try play.book.check(
                    "owed", play.machine.owedHandshakes.map(\.description),
                    is: [
                        "the fault in the handshake of connection 2 to a.test, to which 1 came (s.yaml:2:9)"
                    ])
                #expect(!play.machine.isExhausted)
                play.connect(base + 1)
                try play.book.check("spoilt", play.actions(), is: ["spoil \(base + 1)"])
                tell(.struck, play, on: base + 1)
                try play.book.check("end", play.events().last, is: "\(base + 1)/0 exhausted")
                play.feed(.closed(PeerID(base + 1)))
                _ = play.events()
            }
        }
    }

    @Test("A round whose fault never strikes is given up like one with a step that does not happen")
    func abandoned() throws {
        let script = Self.script(.reset, connection: 2, steps: [step("GET", "/")])
        try ServerPlay.run(script, repeats: true, roundTimeout: .seconds(10)) { play in
            play.connect()
            play.ask("GET /")
            _ = play.events()
            try play.advance(.seconds(10))
            try play.book.check("end", play.events().map { String($0.prefix(13)) }, is: ["0/0 abandoned"])
        }
    }

    @Test("A script without steps owes its fault as well, and a fault of each connection is never owed")
    func routes() throws {
        for (connection, isOwed) in [(1, true), (nil, false)] {
            try ServerPlay.run(Self.script(.reset, connection: connection), repeats: true) { play in
                play.connect(0, host: "b.test")
                #expect(play.machine.isExhausted != isOwed)
                try play.book.check("spoilt", play.actions(), is: [])
            }
        }
    }

    @Test("A fault that could not be done has had its turn, and is a violation with its place")
    func unstruck() throws {
        try ServerPlay.run(Self.script(.reset, connection: 1)) { play in
            play.connect()
            _ = play.events()
            play.feed(.unstruck(PeerID(0), "it was not to be"))
            #expect(play.machine.isExhausted)
            try play.book.check("events", play.events(), is: ["0/0 violation it was not to be\nclosest: s.yaml:2:9"])
        }
    }
}
