import HTTPBasics
import MachineContract
import TestSupport
import Testing

@testable import ClientMachines

/// A task that is not to begin before its moment.
@Suite struct DelayingTests {
    private static func builder(asks: QuestionKinds = []) -> TaskBuilder {
        var builder = TaskBuilder()
        builder.plan.delay = .seconds(100)
        builder.plan.asks = asks
        builder.plan.resourceTimeout = .seconds(20)
        return builder
    }

    private static func play(
        asks: QuestionKinds = [], suspended: Bool = false, _ body: (Playbook<TaskMachine>) throws -> Void
    ) throws {
        let builder = builder(asks: asks)
        let start = Moment(instant: .zero, date: UnixTime(seconds: 784_111_777), entropy: 0)
        let machine = TaskMachine(plan: builder.plan, settings: SharedSettings(builder.settings), at: start)
        try Playbook.play(machine, describeOutput: { $0.summary }) { book in
            book.feed(.start(suspended: suspended))
            try body(book)
        }
    }

    // BEHAVIOUR 1.B18, 1.B18-timers
    @Test func `nothing happens before the moment, and the life of the task is counted from there`() throws {
        try Self.play { book in
            try book.expectDeadline(in: .seconds(100))
            try book.advance(by: .seconds(99))
            try book.check("outputs", book.take().map(\.summary), is: [])
            try book.advance(by: .seconds(1))
            try book.check("outputs", book.take().map(\.summary), is: ["acquire http://example.com"])
            try book.expectDeadline(in: .seconds(20))
        }
    }

    // BEHAVIOUR 1.B18
    @Test(arguments: [
        (DelayedRequestAnswer.continueLoading, ["acquire http://example.com"]),
        (.use(TaskBuilder.next), ["tell request GET http://example.com/b", "acquire http://example.com"]),
        (.cancel, ["abandon", "tell complete cancelled", "finished"]),
    ]) func `the delegate decides when the moment has come`(answer: DelayedRequestAnswer, wanted: [String]) throws {
        try Self.play(asks: .delayedRequest) { book in
            try book.advance(by: .seconds(100))
            try book.check("outputs", book.take().map(\.summary), is: ["ask delayed request http://example.com/a"])
            book.feed(.answer(.delayedRequest(answer)))
            try book.check("outputs", book.take().map(\.summary), is: wanted)
        }
    }

    // BEHAVIOUR 1.B18-suspended
    @Test func `a suspended task waits for its resume as well`() throws {
        try Self.play(suspended: true) { book in
            try book.advance(by: .seconds(1000))
            book.feed(.resume)
            try book.check("outputs", book.take().map(\.summary), is: ["acquire http://example.com"])
        }
        try Self.play { book in
            book.feed(.suspend)
            try book.advance(by: .seconds(50))
            book.feed(.resume)
            try book.check("outputs", book.take().map(\.summary), is: [])
            try book.expectDeadline(in: .seconds(50))
        }
    }

    // BEHAVIOUR 1.B18
    @Test func `a task that waits can be cancelled`() throws {
        try Self.play { book in
            book.feed(.cancel(keepingResumeData: false))
            try book.check("outputs", book.take().map(\.summary), is: ["tell complete cancelled", "finished"])
        }
    }
}
