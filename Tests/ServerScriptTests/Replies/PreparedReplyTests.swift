import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite struct PreparedReplyTests {
    private func head(_ reply: Reply, _ request: ReceivedHead = ReceivedHead(method: "GET", target: "/")) -> [String] {
        let store = ContentStore()
        let prepared = PlannedReply(reply).prepare(
            for: request, date: UnixTime(seconds: 784_111_777), mustClose: false, store: store)
        return prepared.map { String(buffer: $0.head).components } ?? []
    }

    static let date = "Date: Sun, 06 Nov 1994 08:49:37 GMT"

    @Test("Fields go out as given, the missing ones are added")
    func fields() {
        let reply = Reply(
            status: 299, reason: "Fine", fields: Fields([.init("X-a", "1"), .init("x-A", "2")]), body: .text("abc"))
        #expect(head(reply) == ["HTTP/1.1 299 Fine", "X-a: 1", "x-A: 2", Self.date, "Content-Length: 3"])
    }

    @Test("What the script writes is not corrected")
    func lies() {
        let fields = Fields([.init("date", "never"), .init("content-length", "99"), .init("Connection", "keep-alive")])
        let lines = ["HTTP/1.1 200 OK", "date: never", "content-length: 99", "Connection: keep-alive"]
        #expect(head(Reply(fields: fields, body: .text("abc"))) == lines)
    }

    @Test(
        "Framing fields follow the framing",
        arguments: [
            (Reply(body: .text("abc"), framing: .chunked(size: 2)), ["Transfer-Encoding: chunked"]),
            (Reply(body: .text("abc"), framing: .close), ["Connection: close"]),
            (Reply(body: .text("abc"), trailers: Fields([.init("A", "b")])), ["Transfer-Encoding: chunked"]),
            (Reply(body: .text("abc"), timeline: [.repeat(2, [.chunk(1)])]), ["Transfer-Encoding: chunked"]),
            (Reply(status: 204), []), (Reply(status: 304), []), (Reply(), ["Content-Length: 0"]),
        ])
    func framing(reply: Reply, wanted: [String]) {
        #expect(Array(head(reply).dropFirst(2)) == wanted)
    }

    @Test("An HTTP/1.0 request gets no chunks and a closed connection")
    func oldVersion() {
        let request = ReceivedHead(method: "GET", target: "/", minorVersion: 0)
        let lines = head(Reply(body: .text("abc"), framing: .chunked(size: 2)), request)
        #expect(Array(lines.dropFirst(2)) == ["Connection: close"])
    }

    @Test("A challenge makes a 401 with a quoted realm")
    func challenge() {
        let lines = head(Reply(challenges: [.basic(realm: "a \"b\" \\")]))
        #expect(lines[0] == "HTTP/1.1 401 Unauthorized")
        #expect(lines[1] == #"WWW-Authenticate: Basic realm="a \"b\" \\""#)
    }

    @Test(
        "Ranged replies answer 206, 200 and 416",
        arguments: [
            ("bytes=2-4", "HTTP/1.1 206 Partial Content", ["Content-Range: bytes 2-4/10", date, "Content-Length: 3"]),
            ("bytes=1-2,4-5", "HTTP/1.1 200 OK", [date, "Content-Length: 10"]),
            (
                "bytes=10-", "HTTP/1.1 416 Range Not Satisfiable",
                ["Content-Range: bytes */10", date, "Content-Length: 0"]
            ),
        ])
    func ranged(range: String, line: String, fields: [String]) {
        let request = ReceivedHead(method: "GET", target: "/", fields: Fields([.init("Range", range)]))
        #expect(head(Reply(status: 206, body: .text("0123456789"), isRanged: true), request) == [line] + fields)
    }

    @Test(
        "A small answer is one piece, unless the script says how it leaves",
        arguments: [
            (Reply(body: .text("abc")), "GET", "abc"), (Reply(body: .text("abc"), framing: .close), "GET", "abc"),
            (Reply(status: 206, body: .text("abc"), isRanged: true), "GET", "bc"),
            (Reply(body: .text("abc")), "HEAD", nil), (Reply(), "GET", nil), (Reply(status: 204), "GET", nil),
            (Reply(body: .counter(size: 2049)), "GET", nil),
            (Reply(body: .text("abc"), framing: .chunked(size: 2)), "GET", nil),
            (Reply(body: .text("abc"), timeline: [.bytes(1)]), "GET", nil),
            (Reply(body: .text("abc"), sendRate: 1), "GET", nil),
        ])
    func whole(reply: Reply, method: String, body: String?) throws {
        let request = ReceivedHead(method: method, target: "/", fields: Fields([.init("Range", "bytes=1-2")]))
        let store = ContentStore()
        let prepared = try #require(
            PlannedReply(reply).prepare(
                for: request, date: UnixTime(seconds: 784_111_777), mustClose: false, store: store))
        #expect(prepared.whole.map(String.init(buffer:)) == body.map { String(buffer: prepared.head) + $0 })
        #expect(String(buffer: prepared.head).hasSuffix("\r\n\r\n"))
    }
}

extension String {
    /// The lines of a head.
    fileprivate var components: [String] {
        split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
    }
}
