import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite("Clients that leave before what the script has in store for them")
struct ScriptMachineConnectionsTests {
    private static let body = Content.counter(size: 1 << 20)

    private func owed(_ steps: [Step], _ body: (ServerPlay) throws -> Void) throws -> Int {
        var count = 0
        try ServerPlay.run(Script(steps: steps)) { play in
            play.connect()
            try body(play)
            try play.book.check("exhausted", play.machine.isExhausted, is: play.machine.unconsumedSteps.isEmpty)
            count = play.machine.unconsumedSteps.count
        }
        return count
    }

    @Test(
        "A fault of an answer that the client did not wait for has not happened",
        arguments: [ScriptInput.closed(PeerID(0)), .inputClosed(PeerID(0))])
    func pause(end: ScriptInput) throws {
        let fault = Fault(at: .body(500), do: .fin)
        let timeline: [SendStep] = [.bytes(10), .wait(.seconds(5)), .rest]
        let steps = [step("GET", "/a", Reply(body: Self.body, timeline: timeline, faults: [fault]))]
        let left = try owed(steps) { play in
            play.ask("GET /a")
            play.feed(end)
        }
        #expect(left == 1)
        let waited = try owed(steps) { play in
            play.ask("GET /a")
            try play.advance(.seconds(5))
            play.feed(end)
        }
        #expect(waited == 0)
    }

    @Test("What is owed is the fault, not the step")
    func told() throws {
        let faults = [Fault(at: .body(500), do: .fin), Fault(at: .idle(.seconds(1)), do: .reset)]
        let slow: [SendStep] = [.wait(.seconds(5)), .rest]
        let steps = [
            step("GET", "/a", Reply(body: Self.body, timeline: slow, faults: [faults[0]])),
            step("GET", "/b", Reply(body: Self.body, faults: [faults[1]])), step("GET", "/c"),
        ]
        try ServerPlay.run(Script(steps: steps)) { play in
            for (peer, path) in ["/a", "/b"].enumerated() {
                play.connect(peer)
                play.ask("GET \(path)", on: peer)
                play.feed(.closed(PeerID(peer)))
            }
            let owed = play.machine.unconsumedSteps.map { $0.owedText + $0.action.summary }
            let wanted = ["fin at body+500 of GET /a", "reset at idle+1.0 seconds of GET /b", "GET /c"]
            try play.book.check("owed", owed, is: wanted)
        }
    }

    @Test("So it is when the answer is too large for what the client has taken, or when the request breaks off")
    func unread() throws {
        let late = Reply(body: Self.body, faults: [Fault(at: .body(1 << 19), do: .reset)])
        let unread = try owed([step("GET", "/a", late)]) { play in
            play.takesWrites = false
            play.ask("GET /a")
            play.feed(.closed(PeerID(0)))
        }
        #expect(unread == 1)
        let broken = try owed([step("POST", "/a", late)]) { play in
            play.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
            play.feed(.closed(PeerID(0)))
        }
        #expect(broken == 1)
    }

    @Test("Of an idle connection it is owed once, and where nothing is to go wrong a client may leave")
    func others() throws {
        let faults = [Fault(at: .body(500), do: .delay(.seconds(5))), Fault(at: .idle(.seconds(1)), do: .fin)]
        let idle = try owed([step("GET", "/a", Reply(body: Self.body, faults: faults))]) { play in
            play.ask("GET /a")
            play.feed(.closed(PeerID(0)))
        }
        #expect(idle == 1)
        let plain = try owed([step("GET", "/a", Reply(body: Self.body))]) { play in
            play.takesWrites = false
            play.ask("GET /a")
            play.feed(.closed(PeerID(0)))
        }
        #expect(plain == 0)
    }
}
