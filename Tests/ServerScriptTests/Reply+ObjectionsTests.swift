import HTTPBasics
import Testing

@testable import ServerScript

@Suite("Faults that no answer reaches")
struct ReplyObjectionsTests {
    private func objection(_ landmark: Fault.Landmark, _ reply: Reply) -> String? {
        reply.objection(to: Fault(at: landmark, do: .fin))?.text
    }

    @Test("Chunks are counted, however large they are")
    func chunks() {
        for (size, chunk, count) in [(10, 3, 4), (9, 3, 3), (0, 5, 0), (10, Int.max, 1), (Int.max, Int.max, 1)] {
            let reply = Reply(body: .counter(size: size), framing: .chunked(size: chunk))
            #expect(objection(.chunk(count, .data), reply) != nil)
            if count > 0 { #expect(objection(.chunk(count - 1, .data), reply) == nil) }
        }
    }

    @Test("A place behind the head is none in it")
    func heads() {
        let reply = Reply(fields: Fields([.init("A", "b")]), body: .text("hi"))
        #expect(objection(.head(20), reply) == nil)
        #expect(objection(.head(99_999), reply)?.hasPrefix("the head has at most ") == true)
        #expect(objection(.statusLine(17), reply) == nil)
        #expect(objection(.statusLine(18), reply)?.contains("has 17 bytes") == true)
    }

    @Test("Where only playing it can tell, nothing is said")
    func open() {
        let reply = Reply(fields: Fields([.init("Location", "$origin/x")]), body: .text("hi"))
        #expect(objection(.head(99_999), reply) == nil)
    }

    @Test(
        "A text's size is known unless a URL is put into it",
        arguments: [("$origin", nil), ("a $original", 11), ("a$$origin", 8), ("$$$origin", nil), ("$$original", 10)])
    func sizes(text: String, size: Int?) {
        #expect(Content.text(text).plainSize == size)
        let reply = Reply(fields: Fields([.init("Location", text)]))
        #expect((objection(.head(99_999), reply) == nil) == (size == nil))
    }
}
