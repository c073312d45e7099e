import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// A task whose answer comes from a loader.
@Suite struct LoadingTests {
    private static let response = Response(
        head: ResponseHead(status: 200), url: TaskBuilder.url, expectedLength: 5, supplied: 0)
    private static let redirect = Response(
        head: ResponseHead(status: 302), url: TaskBuilder.url, expectedLength: -1, supplied: 0)

    private static func play(
        kind: TaskPlan.Kind = .data, asks: QuestionKinds = .loadChallenge,
        _ body: (Playbook<TaskMachine>) throws -> Void
    ) throws {
        var builder = TaskBuilder(kind: kind)
        builder.plan.hasProtocols = true
        builder.plan.asks = asks
        let start = Moment(instant: .zero, date: UnixTime(seconds: 784_111_777), entropy: 3)
        let machine = TaskMachine(plan: builder.plan, settings: builder.settings, at: start)
        try Playbook.play(machine, describeOutput: { $0.summary }) { book in
            book.feed(.start(suspended: false))
            try book.check("outputs", book.take().map(\.summary), is: ["load GET http://example.com/a"])
            try body(book)
        }
    }

    private static func data(_ text: String) -> TaskInput { .loaded(.data(ByteBuffer(string: text))) }

    // BEHAVIOUR 2.H19
    @Test func `an answer is told as that of a server`() throws {
        try Self.play { book in
            book.feed(.loaded(.response(Self.response)), Self.data("hello"), .loaded(.end))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell response 200, expecting 5", "tell data 5", "release", "tell complete", "finished"])
        }
    }

    // BEHAVIOUR 2.H16
    @Test func `what nobody loads goes over HTTP`() throws {
        try Self.play { book in
            book.feed(.loaded(.declined))
            try book.check("outputs", book.take().map(\.summary), is: ["release", "acquire http://example.com"])
        }
    }

    // BEHAVIOUR 2.H19
    @Test func `a download's bytes go into its file`() throws {
        try Self.play(kind: .download(resuming: nil)) { book in
            book.feed(.loaded(.response(Self.response)), .fileOpened, Self.data("hello"), .fileWrote(bytes: 5))
            book.feed(.loaded(.end), .fileClosed)
            try book.check(
                "outputs", book.take().map(\.summary).filter { !$0.contains("tmp") },
                is: [
                    "tell response 200, expecting 5", "file write 5", "tell wrote 5, 5 of 5", "release", "file close",
                    "tell complete", "finished",
                ])
        }
    }

    // BEHAVIOUR 2.H19-window
    @Test func `a slow user is asked for nothing more`() throws {
        try Self.play { book in
            book.feed(.loaded(.response(Self.response)), Self.data("0123456789"))
            _ = book.take()
            try book.check("it waits", !book.machine.wantsEvents)
            book.feed(.delivered(bytes: 10))
            try book.check("it goes on", book.machine.wantsEvents)
        }
    }

    // BEHAVIOUR 2.H19-redirect
    @Test func `a redirect asks its user and then everybody anew`() throws {
        try Self.play(asks: [.redirect, .loadChallenge]) { book in
            book.feed(.loaded(.redirected(Self.redirect, next: TaskBuilder.next)))
            try book.check(
                "outputs", book.take().map(\.summary), is: ["release", "ask redirect 302 to http://example.com/b"])
            book.feed(.answer(.redirect(TaskBuilder.next)))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell request GET http://example.com/b", "load GET http://example.com/b"])
        }
    }

    // BEHAVIOUR 2.H19-redirect
    @Test func `a refused redirect is the response`() throws {
        try Self.play(asks: [.redirect, .loadChallenge]) { book in
            book.feed(.loaded(.redirected(Self.redirect, next: TaskBuilder.next)))
            _ = book.take()
            book.feed(.answer(.redirect(nil)))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["tell response 302, expecting -1", "tell complete", "finished"])
        }
    }

    // BEHAVIOUR 2.H19-redirect
    @Test func `twenty redirects and no more`() throws {
        try Self.play { book in
            for _ in 0..<RedirectDecision.limit {
                book.feed(.loaded(.redirected(Self.redirect, next: TaskBuilder.next)))
            }
            _ = book.take()
            book.feed(.loaded(.redirected(Self.redirect, next: TaskBuilder.next)))
            try book.check(
                "outputs", book.take().map(\.summary),
                is: ["release", "abandon", "tell complete httpTooManyRedirects", "finished"])
        }
    }

    // BEHAVIOUR 2.H19-challenge
    @Test(arguments: [
        (ChallengeAnswer.performDefaultHandling, [String]()),
        (.cancel, ["abandon", "tell complete cancelled", "finished"]),
    ]) func `a challenge is a gate, and cancelling it cancels the task`(answer: ChallengeAnswer, wanted: [String])
        throws
    {
        try Self.play { book in
            book.feed(.loaded(.challenged(LoadChallengeID(0))))
            try book.check("outputs", book.take().map(\.summary), is: ["ask load challenge 0"])
            try book.check("it waits", !book.machine.wantsEvents)
            book.feed(.answer(.loadChallenge(answer)))
            try book.check("outputs", book.take().map(\.summary), is: wanted)
        }
    }

    // BEHAVIOUR 2.H19, 2.H18
    @Test func `failure, silence and cancelling end the load`() throws {
        let strikes: [(TaskInput?, String)] = [
            (.loaded(.failed(.supplied, detail: "")), "supplied"), (.cancel(keepingResumeData: false), "cancelled"),
            (nil, "timedOut"),
        ]
        for (input, kind) in strikes {
            for isAnswered in [false, true] {
                try Self.play { book in
                    if isAnswered { book.feed(.loaded(.response(Self.response))) }
                    _ = book.take()
                    if let input { book.feed(input) } else { try book.advance(by: .seconds(60)) }
                    try book.check(
                        "outputs", book.take().map(\.summary), is: ["abandon", "tell complete \(kind)", "finished"])
                }
            }
        }
    }

    // BEHAVIOUR 1.D5
    @Test func `a suspended task takes nothing and has no timers`() throws {
        try Self.play { book in
            book.feed(.suspend)
            try book.check("it waits", !book.machine.wantsEvents)
            try book.expectDeadline(in: nil)
            book.feed(.resume)
            try book.check("it goes on", book.machine.wantsEvents)
        }
    }
}
