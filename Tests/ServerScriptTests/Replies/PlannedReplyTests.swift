import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite struct PlannedReplyTests {
    private func prepare(
        _ reply: PlannedReply, _ method: String = "GET", _ fields: Fields.Field..., minorVersion: Int = 1,
        second: Int64 = 0, mustClose: Bool = false
    ) -> PreparedReply? {
        let store = ContentStore()
        let request = ReceivedHead(method: method, target: "/", minorVersion: minorVersion, fields: Fields(fields))
        return reply.prepare(for: request, date: UnixTime(seconds: second), mustClose: mustClose, store: store)
    }

    @Test("Requests that are owed the same bytes in the same second get the same answer")
    func same() throws {
        let reply = PlannedReply(Reply(body: .text("0123456789")))
        let first = try #require(prepare(reply))
        #expect(prepare(reply, "GET", .init("Range", "bytes=0-1")) === first)
    }

    @Test("Whatever an answer depends on makes another one")
    func different() throws {
        let reply = PlannedReply(Reply(body: .text("0123456789"), isRanged: true))
        let answers = [
            prepare(reply), prepare(reply, second: 1), prepare(reply, mustClose: true), prepare(reply, minorVersion: 0),
            prepare(reply, "HEAD"), prepare(reply, "GET", .init("Range", "bytes=0-1")),
            prepare(reply, "GET", .init("Range", "bytes=1-2")), prepare(reply, "GET", .init("Connection", "close")),
        ]
        let wires = answers.map { $0.map { "\(String(buffer: $0.head))\($0.range)" } ?? "" }
        // Three of them say the same: they end the connection.
        #expect(Set(wires).count == answers.count - 2)
        for (one, other) in zip(answers, answers.dropFirst()) { #expect(one !== other) }
    }
}
