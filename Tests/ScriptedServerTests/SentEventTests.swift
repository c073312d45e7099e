import HTTPBasics
import ServerScript
import TestSupport
import Testing

@testable import ScriptedServer

@Suite(.endsInTime) struct SentEventTests {
    @Test func `events are sent as they are written`() async throws {
        let server = try await ScriptedServer.start {
            $0.get(
                "/ticks/{name}",
                reply: .ok().events(
                    .comment("welcome"), .retry(.milliseconds(1500)), .data("one $path.name", event: "tick", id: "1"),
                    .wait(.milliseconds(1)), .data("two\nlines"), .data("a\u{2028}b\u{85}")))
        }
        let port = try #require(server.url.split(separator: ":").last.flatMap { Int($0) })
        let client = try RawSocket(port: port)
        client.send("GET /ticks/x HTTP/1.1\r\nHost: a.test\r\n\r\n")
        let answer = String(decoding: client.receiveToEnd().bytes, as: UTF8.self)
        #expect(answer.contains("Content-Type: text/event-stream\r\n"))
        #expect(
            answer.hasSuffix(
                "\r\n\r\n: welcome\n\nretry: 1500\n\nevent: tick\nid: 1\ndata: one x\n\ndata: two\ndata: lines\n\n"
                    + "data: a\u{2028}b\u{85}\n\n"))
        #expect(try await server.stop().isFulfilled)
    }

    @Test func `moves are those of the script, and fields stay`() {
        let reply = ServerReply.ok().header("Content-Type", "text/plain")
            .events(.signal("a"), .await("b"), .stall).exchange(for: RequestMatch("GET", "/")).reply
        #expect(reply?.timeline == [.signal("a"), .await("b"), .stall])
        #expect(reply?.framing == .close)
        #expect(reply?.fields.joined("Content-Type") == "text/plain")
    }

    @Test func `what is more than a line cannot be sent`() {
        for event in [
            SentEvent.comment("a\nb"), .data("", event: "a\nb"), .data("", id: "a\r\nb"), .retry(.seconds(-1)),
            .retry(.milliseconds(-1)), .retry(.seconds(Int64.max)),
        ] {
            #expect(ServerReply.ok().events(event).complaint != nil)
        }
    }
}
