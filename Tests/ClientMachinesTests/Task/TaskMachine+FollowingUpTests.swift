import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// Stage `draining`, and what follows it.
@Suite struct FollowingUpTests {
    private static let again = ["tell request GET http://example.com/b", "acquire http://example.com"]

    @Test(arguments: [
        ([ResponseEvent.end], ["release"]), ([.body("abc"), .end], ["release"]),
        // Nobody wanted the body: that it is cut short fails nothing.
        ([.body("a"), .failed(.connectionLostInBody)], ["abandon"]),
        ([.failed(.badChunkSize)], ["abandon"]),
        ([.body(ByteBuffer(repeating: 0, count: 65_537))], ["abandon"]),
        ([.body(ByteBuffer(repeating: 0, count: 65_536)), .end], ["release"]),
    ])
    func `an unwanted body is read to its end, as far as that is cheap`(
        events: [ResponseEvent], outputs: [String]
    ) throws {
        try TaskBuilder().play(.draining) { book in
            for event in events { book.feed(.event(event)) }
            try book.check("outputs", book.take().map(\.summary), is: outputs + Self.again)
        }
    }

    @Test func `a body that is declared too long is not read at all`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.head(302, [Fields.Field("Location", "/b")], length: 65_537)))
            try book.check("outputs", book.take().map(\.summary), is: ["abandon"] + Self.again)
        }
    }

    // BEHAVIOUR 1.C5-timeout
    @Test func `a hop has all of its time, however long the body before it was waited for`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        builder.plan.requestTimeout = .milliseconds(1500)
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.redirectHead), .event(.body("a")), .arrived)
            try book.advance(by: .seconds(1))
            try book.check("outputs", book.take().map(\.summary), is: ["abandon"] + Self.again)
            try book.expectDeadline(in: .milliseconds(1500))
        }
    }

    // BEHAVIOUR 1.C3-additional
    @Test(arguments: [
        ("/b", true), ("//EXAMPLE.com/b", true), ("http://example.com:80/b", true), ("http://ann@example.com/b", true),
        ("http://example.com:8080/b", false), ("//sub.example.com/b", false), ("//example.com./b", false),
        ("//other/b", false),
    ])
    func `what lets the session in goes to one scheme, host and port`(location: String, goesAlong: Bool) throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        builder.settings.additionalFields = Fields([Fields.Field("cookie", "a=1"), Fields.Field("X-A", "b")])
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.head(302, [Fields.Field("Location", location)], length: 0)), .event(.end))
            book.feed(.connected(isReused: false))
            _ = book.take()
            let text = book.machine.headText
            try book.check("X-A", text.contains("X-A: b\r\n"))
            try book.check("cookie", text.contains("cookie: a=1\r\n"), is: goesAlong)
        }
    }

    @Test func `each unwanted body has the whole bound for itself`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        try builder.play(.awaitingHead) { book in
            for hop in 1...3 {
                book.feed(
                    .event(.head(302, [Fields.Field("Location", "/b")], length: 65_536)),
                    .event(.body(ByteBuffer(repeating: 0, count: 65_536))), .event(.end))
                try book.check("hop \(hop)", Array(book.take().map(\.summary).suffix(3)), is: ["release"] + Self.again)
                book.feed(.connected(isReused: true))
            }
            _ = book.take()
        }
    }

    @Test func `a body that takes too long is given up, its task goes on`() throws {
        try TaskBuilder().play(.draining) { book in
            try book.expectDeadline(in: .seconds(1))
            book.feed(.event(.body("a")), .arrived)
            try book.expectDeadline(in: .seconds(1))
            try book.advance(by: .seconds(1))
            try book.check("outputs", book.take().map(\.summary), is: ["abandon"] + Self.again)
        }
    }

    @Test func `no longer than the request timeout, which fails nothing here`() throws {
        for asks in [QuestionKinds(), .redirect] {
            var builder = TaskBuilder()
            builder.plan.asks = asks
            builder.plan.requestTimeout = .milliseconds(400)
            try builder.play(.awaitingHead) { book in
                book.feed(.event(.redirectHead))
                if asks == .redirect { book.feed(.answer(.redirect(TaskBuilder.next))) }
                _ = book.take()
                try book.expectDeadline(in: .milliseconds(400))
                try book.advance(by: .milliseconds(400))
                try book.check("outputs", book.take().map(\.summary), is: ["abandon"] + Self.again)
            }
        }
    }

    @Test func `an answer that came before the request was written costs the connection`() throws {
        var builder = TaskBuilder(.post(bytes: 500_000))
        builder.plan.asks = []
        try builder.play(.awaitingHead) { book in
            book.feed(.event(.redirectHead), .event(.end))
            try book.check("outputs", book.take().map(\.summary), is: ["abandon"] + Self.again)
        }
    }

    @Test func `suspended while draining, the next attempt waits for the resume`() throws {
        try TaskBuilder().play(.draining) { book in
            book.feed(.suspend)
            try book.check("it wants no events", !book.machine.wantsEvents)
            try book.expectDeadline(in: nil)
            book.sleep(.seconds(5))
            book.feed(.timePassed)
            try book.check(
                "outputs", book.take().map(\.summary), is: ["abandon", "tell request GET http://example.com/b"])
            book.feed(.resume)
            try book.expect(.acquire(TaskBuilder.origin, .any))
        }
    }

    @Test func `twenty redirects are followed, the next one fails with the target it named`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        try builder.play(.awaitingHead) { book in
            for hop in 1...20 {
                book.feed(.event(.head(302, [Fields.Field("Location", "/\(hop)")], length: 0)), .event(.end))
                book.feed(.connected(isReused: true))
            }
            _ = book.take()
            book.feed(.event(.head(302, [Fields.Field("Location", "/21")], length: 0)))
            let target = URLReference(scheme: "http", host: "example.com", path: "/21")
            try book.expect(
                .abandon,
                .tell(.complete(Failure(.httpTooManyRedirects, .peer, "More than 20 redirects", url: target))),
                .finished)
        }
    }

    @Test func `each attempt may be retried once`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        try builder.play(.awaitingHead, isReused: true) { book in
            book.feed(.event(.failed(.emptyReply)), .connected(isReused: false), .event(.redirectHead))
            book.feed(.event(.end), .connected(isReused: true))
            _ = book.take()
            book.feed(.event(.failed(.emptyReply)))
            try book.expect(.abandon, .acquire(TaskBuilder.origin, .fresh))
        }
    }

    @Test func `a second attempt that was suspended still wants a connection of its own (1.E1)`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        try builder.play(.awaitingHead, isReused: true) { book in
            book.feed(.event(.failed(.emptyReply)), .suspend)
            _ = book.take()
            book.feed(.resume)
            try book.expect(.acquire(TaskBuilder.origin, .fresh))
            // That need ends with the connection.
            book.feed(.connected(isReused: false), .event(.redirectHead))
            _ = book.take()
            book.feed(.event(.end))
            #expect(book.take().last == .acquire(TaskBuilder.origin, .any))
        }
    }

    @Test func `the resource timer runs through all attempts`() throws {
        var builder = TaskBuilder()
        builder.plan.asks = []
        builder.plan.resourceTimeout = .seconds(10)
        try builder.play(.awaitingHead) { book in
            for _ in 0..<4 {
                book.sleep(.seconds(2))
                book.feed(.event(.redirectHead), .event(.end), .connected(isReused: true))
            }
            _ = book.take()
            try book.expectDeadline(in: .seconds(2))
            try book.advance(by: .seconds(2))
            try book.check(
                "outputs", book.take().map(\.summary), is: ["abandon", "tell complete timedOut", "finished"])
        }
    }
}
