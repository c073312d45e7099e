import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// Loads beside connections: what a loader says reaches its task, and only while it is the task's.
@Suite struct LoadsTests {
    private static func plan(asks: QuestionKinds = []) -> TaskPlan {
        var plan = ClientPlay.plan(asks: asks)
        plan.hasProtocols = true
        return plan
    }

    private static let response = LoadEvent.response(
        Response(
            head: ResponseHead(status: 200), url: URLReference(scheme: "http", host: "example.com", path: "/a"),
            expectedLength: 2, supplied: 0))

    private static func loaded(_ load: Int, _ event: LoadEvent) -> ClientInput {
        .loaded(TaskID(1), LoadID(load), event)
    }

    // BEHAVIOUR 2.H18
    @Test func `a load begins, is asked for more as it is taken, and ends`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan())
            try book.expect(["task 1: load 1 of http://example.com/a"])
            book.feed(Self.loaded(1, Self.response))
            try book.expect(["task 1: response 200, expecting 2", "task 1: load 1 goes on"])
            book.feed(Self.loaded(1, .data(ByteBuffer(string: "ok"))))
            try book.expect(["task 1: data 2", "task 1: load 1 goes on"])
            book.feed(Self.loaded(1, .end))
            try book.expect(["task 1: load 1 ends", "task 1: complete"])
            try book.expectDeadline(in: nil)
        }
    }

    // BEHAVIOUR 2.H18-late
    @Test func `what a loader says after its end is not heard`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan())
            book.feed(Self.loaded(1, .declined))
            try book.expect([
                "task 1: load 1 of http://example.com/a", "task 1: load 1 ends", "resolve 1 example.com:80",
            ])
            book.feed(Self.loaded(1, Self.response))
            try book.expect([])
            book.feed(.cancel(TaskID(1), keepingResumeData: false))
            try book.expect(["stop resolving 1", "task 1: complete cancelled"])
            book.feed(Self.loaded(1, .end))
            try book.expect([])
        }
    }

    // BEHAVIOUR 1.B1-8
    @Test func `what a loader says while a question is open waits for the answer`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan(asks: .response))
            book.feed(
                Self.loaded(1, Self.response), Self.loaded(1, .data(ByteBuffer(string: "ok"))), Self.loaded(1, .end))
            try book.expect(["task 1: load 1 of http://example.com/a", "task 1 asks 1: response 200"])
            book.feed(.answer(QuestionID(1), .response(allow: true)))
            try book.expect(["task 1: data 2", "task 1: load 1 ends", "task 1: complete"])
        }
    }

    // BEHAVIOUR 1.H1
    @Test func `an invalidated session ends its loads`() throws {
        try ClientPlay.play { book in
            book.start(1, Self.plan())
            book.feed(.invalidate(cancelling: true))
            try book.expect([
                "task 1: load 1 of http://example.com/a", "task 1: load 1 ends", "task 1: complete cancelled",
                "invalidated",
            ])
        }
    }
}
