import HTTPBasics
import NIOCore
import Testing
import TestSupport

@testable import ClientMachines

/// What scenarios cannot bring about; the rest is in `scenarios/cache`.
@Suite struct TaskCachingTests {
    private static let kept = StoredResponse(
        status: 200, fields: Fields([.init("Cache-Control", "max-age=600")]), asked: UnixTime(seconds: 784_111_700),
        received: UnixTime(seconds: 784_111_700))
    private static let answer = Response(
        head: ResponseHead(status: 200, kept.fields), url: TaskBuilder.url, expectedLength: 5)

    /// As it is told when nobody has confirmed it, seconds after it was received.
    private static func told(_ stored: StoredResponse, age: Int) -> Response {
        var fields = stored.fields
        fields.set("Age", String(age))
        return Response(head: ResponseHead(status: 200, fields), url: TaskBuilder.url, expectedLength: 5)
    }

    private var builder: TaskBuilder {
        var builder = TaskBuilder()
        builder.plan.asks = []
        builder.plan.usesCache = true
        builder.settings.hasCache = true
        return builder
    }

    private func ask(_ book: Playbook<TaskMachine>) throws {
        book.machine.cache.mayHaveSome = true
        book.feed(.resume)
        let key = try #require(CacheKey(TaskBuilder.url))
        try book.expect(.ask(.kept(key)))
    }

    // BEHAVIOUR 2.D4-lost
    @Test func `what is lost when it is wanted is loaded`() throws {
        try builder.play { book in
            try ask(book)
            book.feed(.answer(.kept([Self.kept])))
            try book.expect(.loadKept(0))
            book.feed(.loaded(.declined))
            try book.expect(.release, .acquire(TaskBuilder.origin, .any))
        }
    }

    // BEHAVIOUR 2.D4-lost, 2.D2-never
    @Test func `what is lost, and may not be loaded, fails`() throws {
        var builder = builder
        builder.plan.cacheRule = .returnDontLoad
        try builder.play { book in
            try ask(book)
            book.feed(.answer(.kept([Self.kept])))
            _ = book.take()
            book.feed(.loaded(.declined))
            let failed = book.take().contains { output in
                if case .tell(.complete(let failure?)) = output { failure.kind == .resourceUnavailable } else { false }
            }
            #expect(failed)
        }
    }

    @Test func `a kept answer needs no connection`() throws {
        try builder.play { book in
            try ask(book)
            book.feed(.answer(.kept([Self.kept])))
            _ = book.take()
            book.feed(.loaded(.response(Self.answer)))
            try book.expect(.tell(.response(Self.told(Self.kept, age: 77))))
            book.feed(.loaded(.data(ByteBuffer(string: "hello"))))
            book.feed(.loaded(.end))
            try book.expect(
                .tell(.data(ByteBuffer(string: "hello"))), .release, .tell(.complete(nil)), .finished)
        }
    }

    @Test func `a cache with nothing in it is not asked`() throws {
        try builder.play { book in
            book.feed(.resume)
            try book.expect(.acquire(TaskBuilder.origin, .any))
        }
    }

    @Test func `an answer that comes for a task that ended is nobody's`() throws {
        try builder.play { book in
            try ask(book)
            book.feed(.cancel(keepingResumeData: false))
            _ = book.take()
            book.feed(.answer(.kept([Self.kept])))
            try book.expect()
        }
    }

    private static let patient = StoredResponse(
        status: 200, fields: Fields([.init("Cache-Control", "max-age=0, stale-if-error=600"), .init("ETag", "\"v\"")]),
        asked: UnixTime(seconds: 784_111_700), received: UnixTime(seconds: 784_111_700))

    private func askServer(_ book: Playbook<TaskMachine>) throws {
        try ask(book)
        book.feed(.answer(.kept([Self.patient])))
        try book.expect(.acquire(TaskBuilder.origin, .any))
    }

    // BEHAVIOUR 2.D3-error
    @Test func `what is kept stands in for a server that cannot be reached`() throws {
        try builder.play { book in
            try askServer(book)
            book.feed(.connectFailed(.cannotConnectToHost, detail: "refused"))
            try book.expect(.loadKept(0))
        }
    }

    // BEHAVIOUR 2.D3-error
    @Test func `what is kept stands in once the request timer has ended, and has a timer of its own`() throws {
        try builder.play { book in
            try askServer(book)
            try book.advance(by: .seconds(60))
            try book.expect(.withdraw, .loadKept(0))
            try book.advance(by: .seconds(59))
            book.feed(.loaded(.response(Self.answer)))
            try book.expect(.tell(.response(Self.told(Self.patient, age: 77 + 119))))
        }
        try builder.play { book in
            try askServer(book)
            book.feed(.connected(isReused: false))
            _ = book.take()
            try book.advance(by: .seconds(60))
            try book.expect(.abandon, .loadKept(0))
        }
    }

    // BEHAVIOUR 2.D3-error, 1.D3
    @Test func `nothing stands in for a task whose whole time is over`() throws {
        var builder = builder
        builder.plan.resourceTimeout = .seconds(50)
        try builder.play { book in
            try askServer(book)
            try book.advance(by: .seconds(50))
            #expect(!book.take().contains(.loadKept(0)))
            try book.check("stage", book.machine.stage.name, is: "completed")
        }
    }

    // BEHAVIOUR 2.D3-error
    @Test func `nothing stands in for a server that may be somebody else`() throws {
        try builder.play { book in
            try askServer(book)
            book.feed(.connectFailed(.serverCertificateUntrusted, detail: "untrusted"))
            #expect(!book.take().contains(.loadKept(0)))
        }
    }

    // BEHAVIOUR 2.D3-asks
    @Test func `the condition goes out with the request, and with its second attempt`() throws {
        try builder.play { book in
            try askServer(book)
            book.feed(.connected(isReused: true))
            #expect(book.machine.headText.contains("\r\nIf-None-Match: \"v\"\r\n"))
            _ = book.take()
            book.feed(.event(.failed(.emptyReply)))
            _ = book.take()
            book.feed(.connected(isReused: false))
            #expect(book.machine.headText.contains("\r\nIf-None-Match: \"v\"\r\n"))
            _ = book.take()
        }
    }
}
