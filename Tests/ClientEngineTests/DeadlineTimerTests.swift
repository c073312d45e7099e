import HTTPBasics
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ClientEngine

@Suite(.endsInTime) struct DeadlineTimerTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Moves the deadline through a list of spans from now and returns the span for which the timer is armed.
    private func armed(after spans: [Duration?]) async throws -> Duration? {
        try await loop.run { [loop] in
            let timer = DeadlineTimer(eventLoop: loop)
            let now = LoopClock.now()
            for span in spans { timer.move(to: span.map { now + $0 }) {} }
            defer { timer.stop() }
            return timer.armed.map { $0 - now }
        }
    }

    @Test(
        arguments: [
            ([.seconds(60)], .seconds(60)),
            // Later deadlines cost nothing…
            ([.seconds(60), .seconds(61), .seconds(600)], .seconds(60)),
            // …earlier ones are never missed.
            ([.seconds(60), .seconds(5), .seconds(61)], .seconds(5)),
            ([.seconds(60), nil], nil),
            ([.nanoseconds(Int64.max)], nil),
            ([], nil),
        ] as [([Duration?], Duration?)])
    func `the timer is armed anew only for an earlier deadline`(spans: [Duration?], expected: Duration?) async throws {
        #expect(try await armed(after: spans) == expected)
    }

    @Test func `the alarm goes off at its instant and not before`() async throws {
        let deadline = LoopClock.now() + .milliseconds(20)
        let fired = loop.makePromise(of: Instant.self)
        let timer = DeadlineTimer(eventLoop: loop)
        try await loop.run { timer.move(to: deadline) { fired.succeed(LoopClock.now()) } }
        #expect(try await fired.futureResult.get() >= deadline)
        #expect(try await loop.run { timer.armed } == nil)
    }

    @Test func `a deadline in the past fires at once, but never from inside`() async throws {
        let fired = loop.makePromise(of: Void.self)
        let timer = DeadlineTimer(eventLoop: loop)
        let firedInside = try await loop.run {
            timer.move(to: .zero) { fired.succeed(()) }
            return timer.armed == nil
        }
        #expect(!firedInside)
        try await fired.futureResult.get()
    }
}
