import HTTPBasics
import MachineContract
import NIOCore
import TestSupport
import Testing

@testable import ClientMachines

/// Stages `idle` and `waitingForConnection`.
@Suite struct StartingTests {
    @Test func `a task asks for a connection and sends its request`() throws {
        try TaskBuilder().play(.idle) { book in
            try book.expectDeadline(in: nil)
            book.feed(.resume)
            try book.expect(.acquire(TaskBuilder.origin, .any))
            book.feed(.connected(isReused: false))
            try book.check("outputs", book.take().map(\.summary), is: ["begin (0, whole)"])
        }
    }

    @Test(arguments: [
        (ClientRequest(url: URLReference(scheme: "ftp", host: "h", path: "/")), Failure.Kind.unsupportedURL),
        (ClientRequest(url: URLReference(scheme: "http", path: "/")), .badURL),
        (ClientRequest(url: URLReference(scheme: "http", host: "h", port: 70_000, path: "/")), .badURL),
        (ClientRequest(url: TaskBuilder.url, body: ByteBuffer(string: "x")), .dataLengthExceedsMaximum),
    ])
    func `a request that cannot be sent fails at once, before any connection`(
        request: ClientRequest, kind: Failure.Kind
    ) throws {
        try TaskBuilder(request).play(.idle) { book in
            book.feed(.resume)
            try book.check("outputs", book.take().map(\.summary), is: ["tell complete \(kind.rawValue)", "finished"])
        }
    }

    /// BEHAVIOUR 2.E10-slip
    @Test(arguments: [Proxy.unreadable, Proxy(.unusable, host: "p.test", port: 1)])
    func `with a proxy that nobody can use a task fails before anything is dialled`(proxy: Proxy) throws {
        for (scheme, kind) in [
            ("http", Failure.Kind.httpProxyConnectionFailure), ("https", .httpsProxyConnectionFailure),
        ] {
            var builder = TaskBuilder(ClientRequest(url: URLReference(scheme: scheme, host: "h", path: "/")))
            builder.settings.proxies = ProxySettings(fallback: proxy)
            try builder.play(.idle) { book in
                book.feed(.resume)
                try book.check(
                    "outputs", book.take().map(\.summary), is: ["tell complete \(kind.rawValue)", "finished"])
            }
        }
    }

    @Test func `a refused plan fails only when it is resumed`() throws {
        var builder = TaskBuilder()
        builder.plan.refusal = .unsupportedURL
        try builder.play(.idle) { book in
            try book.expect()
            book.feed(.resume)
            try book.check("outputs", book.take().map(\.summary), is: ["tell complete unsupportedURL", "finished"])
        }
    }

    @Test func `suspended in the queue, a task leaves it and queues anew when resumed`() throws {
        try TaskBuilder().play(.waitingForConnection) { book in
            book.feed(.suspend)
            try book.expect(.withdraw)
            try book.expectDeadline(in: nil)
            book.feed(.suspend)
            try book.expect()
            book.feed(.resume)
            try book.expect(.acquire(TaskBuilder.origin, .any))
            book.feed(.resume)
            try book.expect()
        }
    }

    @Test func `waiting for a connection counts as silence`() throws {
        try TaskBuilder().play(.waitingForConnection) { book in
            try book.expectDeadline(in: .seconds(60))
            try book.advance(by: .milliseconds(59_999))
            try book.expect()
            try book.advance(by: .milliseconds(1))
            try book.check(
                "outputs", book.take().map(\.summary), is: ["withdraw", "tell complete timedOut", "finished"])
        }
    }

    @Test func `a connection ends the silence`() throws {
        try TaskBuilder().play(.waitingForConnection) { book in
            try book.advance(by: .seconds(50))
            book.feed(.connected(isReused: false))
            _ = book.take()
            try book.expectDeadline(in: .seconds(60))
        }
    }

    @Test func `a failed connection attempt fails the task with its cause and its URL`() throws {
        try TaskBuilder().play(.waitingForConnection) { book in
            book.feed(.connectFailed(.cannotFindHost, detail: "no such name"))
            try book.expect(
                .withdraw,
                .tell(.complete(Failure(.cannotFindHost, .environment, "no such name", url: TaskBuilder.url))),
                .finished)
        }
    }

    @Test func `a connection that nobody asked for is our bug`() throws {
        try TaskBuilder().play(.awaitingHead) { book in
            book.feed(.connected(isReused: false))
            try book.expect(.bug("connection for a task in stage awaitingHead"))
        }
    }
}
