import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite struct ReplyPlayerTests {
    /// What is done for an answer: its bytes by their number, and the other moves by name.
    private func moves(
        _ reply: Reply, limit: Int = .max, minorVersion: Int = 1, faults: [Fault] = []
    ) throws -> (moves: [String], text: String) {
        let request = ReceivedHead(method: "GET", target: "/", minorVersion: minorVersion)
        let prepared = PlannedReply(reply).prepare(
            for: request, date: UnixTime(seconds: 0), mustClose: false, store: ContentStore())
        var player = ReplyPlayer(
            try #require(prepared), interims: InterimPlayer(reply.interim), faults: PendingFaults(faults))
        var moves: [String] = [], text = ""
        while let move = player.next(outstanding: 0, limit: limit) {
            switch move {
            case .head(let bytes, _): (moves, text) = (moves + ["head"], text + String(buffer: bytes))
            case .write(let bytes): (moves, text) = (moves + ["write"], text + String(buffer: bytes))
            case .answered(let status): moves.append("answered \(status)")
            case .finished: return (moves, text)
            default: moves.append("other")
            }
        }
        return (moves, text)
    }

    @Test func `a small answer leaves as a whole, and nothing comes behind it`() throws {
        let whole = try moves(Reply(body: .text("hello")))
        #expect(whole.moves == ["head", "answered 200"] && whole.text.hasSuffix("\r\n\r\nhello"))
        let old = try moves(Reply(body: .text("hello")), minorVersion: 0)
        #expect(old.moves == ["head", "answered 200"] && old.text.hasSuffix("\r\n\r\nhello"))
        let pieces = try moves(Reply(body: .text("hello")), limit: 40)
        #expect(pieces.moves == ["head", "head", "answered 200"] && pieces.text == whole.text)
    }

    @Test func `one with a fault, an interim answer or a timeline leaves in its parts`() throws {
        let cut = try moves(
            Reply(body: .text("hello")), faults: [Fault(at: .body(3), do: .stall)])
        #expect(cut.moves == ["head", "answered 200", "write", "other", "write"])
        let early = try moves(Reply(body: .text("hello"), interim: [Interim(status: 103)]))
        #expect(early.moves == ["head", "head", "answered 200"])
        let timed = try moves(Reply(body: .text("hello"), timeline: [.bytes(2), .wait(.seconds(1)), .rest]))
        #expect(timed.moves == ["head", "answered 200", "write", "other", "write"])
    }
}
