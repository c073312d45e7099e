import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct SlicesTests {
    private let script = Script(
        routes: [
            Route(Exchange(RequestMatch("POST", "/up*", sliceOf: .text("0123456789")), reply: Reply(status: 204))),
            Route(Exchange(RequestMatch("GET", "/up*", isWhole: true), reply: Reply(body: .text("0123456789")))),
        ])

    private func status(_ play: ServerPlay) -> String { String(play.wire().dropFirst(9).prefix(3)) }

    private func send(_ range: String, _ body: String, to path: String = "/up", _ play: ServerPlay) -> String {
        play.connect()
        play.post(path, body, "Content-Range: bytes \(range)")
        defer { play.feed(.closed(PeerID(0))) }
        return status(play)
    }

    private func ask(_ path: String, _ play: ServerPlay) -> String {
        play.connect()
        play.ask("GET \(path)")
        defer { play.feed(.closed(PeerID(0))) }
        return status(play)
    }

    // BEHAVIOUR 3.B1-state
    @Test("A target is whole when all slices have come: out of order, twice, and each target by itself")
    func assembling() throws {
        try ServerPlay.run(script) { play in
            try play.book.check("status", send("4-9/10", "456789", play), is: "204")
            try play.book.check("status", ask("/up", play), is: "404")
            try play.book.check("status", send("4-9/10", "456789", play), is: "204")
            try play.book.check("status", send("0-3/10", "0123", to: "/up/other", play), is: "204")
            try play.book.check("status", ask("/up", play), is: "404")
            try play.book.check("status", send("0-4/10", "01234", play), is: "204")
            try play.book.check("status", ask("/up", play), is: "200")
            try play.book.check("status", ask("/up/other", play), is: "404")
        }
    }

    @Test(
        "A slice that is not what its Content-Range says is refused, and does not count",
        arguments: [
            ("0-9/10", "0123456780"), ("0-9/10", "012345678"), ("0-8/10", "0123456789"), ("0-9/11", "0123456789"),
            ("1-9/10", "012345678"), ("9-0/10", "x"), ("*/10", "x"),
        ])
    func refusing(range: String, body: String) throws {
        try ServerPlay.run(script) { play in
            try play.book.check("status", send(range, body, play), is: "404")
            try play.book.check("status", ask("/up", play), is: "404")
        }
    }

    @Test("What is missing is said")
    func saying() throws {
        try ServerPlay.run(script) { play in
            play.connect()
            play.ask("GET /up")
            let miss = play.wire().contains("whole: wanted every byte of the target in slices before")
            try play.book.check("miss", miss, is: true)
            play.feed(.closed(PeerID(0)))
            play.connect()
            play.post("/up", "01", "Content-Range: bytes 0-1/11")
            let range = play.wire().contains("Content-Range: wanted a part of 10, got one of 11")
            try play.book.check("range", range, is: true)
        }
    }

    @Test("A route with a number of times gives way to the next: content that changes between requests")
    func changing() throws {
        let routes = [("old", 2), ("new", nil)].map { text, times in
            Route(Exchange(RequestMatch("GET", "/"), reply: Reply(body: .text(text))), times: times)
        }
        try ServerPlay.run(Script(routes: routes)) { play in
            play.connect()
            let bodies = (0..<4).map { _ in
                play.ask("GET /")
                return String(play.wire().suffix(3))
            }
            try play.book.check("bodies", bodies, is: ["old", "old", "new", "new"])
        }
    }
}
