import HTTPBasics
import Testing
import TestSupport

@testable import ClientMachines

/// BEHAVIOUR 2.C5-empty, 2.C10
@Suite struct CookieUseTests {
    private static let setting: ResponseEvent = .head(
        302, [.init("Location", "/b"), .init("Set-Cookie", "a=1"), .init("set-cookie", "b=2")], length: 0)
    private static let place = URLReference(scheme: "http", host: "example.com", path: "/b")

    private var builder: TaskBuilder {
        var builder = TaskBuilder()
        builder.plan.asks = []
        builder.settings.cookies = CookieUse(sends: true, stores: true)
        return builder
    }

    private func goOn(_ book: Playbook<TaskMachine>) throws {
        book.feed(.resume)
        try book.expect(.acquire(TaskBuilder.origin, .any))
        book.feed(.connected(isReused: false))
        _ = book.take()
        book.feed(.event(Self.setting))
    }

    @Test func `while there are none nobody is asked, and those of an answer go along with the next request`() throws {
        try builder.play { book in
            try goOn(book)
            try book.expect(.storeCookies(["a=1", "b=2"], from: TaskBuilder.url))
            book.feed(.event(.end))
            #expect(book.take().last == .ask(.cookies(Self.place)))
            book.feed(.answer(.cookies("a=1; b=2")))
            try book.expect(.acquire(TaskBuilder.origin, .any))
            book.feed(.connected(isReused: true))
            #expect(book.machine.headText.contains("\r\nCookie: a=1; b=2\r\n"))
            _ = book.take()
        }
    }

    @Test func `no text of a task has the value of one that comes or goes along`() throws {
        try builder.play { book in
            try goOn(book)
            var text = "\(book.take())"
            book.feed(.event(.end))
            _ = book.take()
            let answer = TaskInput.answer(.cookies("a=s3cret"))
            book.feed(answer)
            text += "\(book.take())"
            dump(book.machine, to: &text)
            dump(answer, to: &text)
            let head = OutgoingHead(
                request: builder.plan.request, authorization: "s3cret", cookies: "s3cret", isAtHome: true)
            dump(head, to: &text)
            #expect(!text.contains("s3cret") && !text.contains("a=1"))
        }
    }

    @Test func `a session that keeps none and sends none has nothing to do with them`() throws {
        var builder = builder
        builder.settings.cookies = CookieUse()
        try builder.play { book in
            try goOn(book)
            #expect(book.take().isEmpty)
            book.feed(.event(.end))
            #expect(book.take().last == .acquire(TaskBuilder.origin, .any))
        }
    }

    // BEHAVIOUR 2.C4
    @Test func `nor has a request that handles none`() throws {
        var builder = builder
        builder.plan.request.handlesCookies = false
        try builder.play { book in
            try goOn(book)
            #expect(book.take().isEmpty)
        }
    }

    // BEHAVIOUR 2.C12-own
    @Test func `a task that is suspended while it waits asks anew, and a late answer is dropped`() throws {
        try builder.play { book in
            try goOn(book)
            book.feed(.event(.end))
            _ = book.take()
            book.feed(.suspend, .answer(.cookies("a=1")), .answer(.cookies("a=2")))
            #expect(book.take().isEmpty)
            book.feed(.resume)
            try book.expect(.ask(.cookies(Self.place)))
            book.feed(.cancel(keepingResumeData: false), .answer(.cookies("a=1")))
            #expect(book.take().contains(.finished))
        }
    }
}
