import NIOCore
import Testing

@testable import ServerScript

@Suite struct BrokenRequestTests {
    private static let head = "POST /x HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\n"

    @Test(
        "A client that goes away in the midst of a request is in the journal, by FIN and by RST",
        arguments: [
            ("POST /x HT", "0/0 broken off in the head after 10"), (head + "ab", "0/0 broken off in the body after 2"),
        ],
        [ScriptInput.inputClosed(PeerID(0)), .closed(PeerID(0))])
    func brokenOff(sent: (text: String, wanted: String), end: ScriptInput) throws {
        try ServerPlay.run(step("POST", "/x")) { play in
            play.connect()
            play.send(sent.text)
            play.feed(end)
            try play.book.check("journaled once", play.events().filter { $0.contains("broken") }, is: [sent.wanted])
        }
    }

    @Test("One that goes away between requests is not", arguments: ["", head + "data"])
    func whole(sent: String) throws {
        try ServerPlay.run(step("POST", "/x")) { play in
            play.connect()
            play.send(sent)
            play.feed(.inputClosed(PeerID(0)))
            play.feed(.closed(PeerID(0)))
            try play.book.check("nothing broken", play.events().filter { $0.contains("broken") }, is: [])
        }
    }
}
