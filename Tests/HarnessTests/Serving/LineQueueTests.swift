import Locks
import TestSupport
import Testing

@testable import Harness

@Suite("Lines that nobody may read", .endsInTime)
final class LineQueueTests: Sendable {
    private let written = Lock<[String]>([])

    @Test("They are written in order")
    func order() {
        let queue = LineQueue { [self] line in written.withLock { $0.append(line) } }
        let lines = (0..<1000).map { "line \($0)" }
        for line in lines { queue.append(line) }
        queue.finish(atMost: .seconds(20))
        #expect(written.withLock { $0 } == lines)
    }

    @Test("While nobody reads, some wait, and the rest are counted")
    func dropped() {
        let (begun, hold) = (StopSignal(), StopSignal())
        let queue = LineQueue(mostWeight: 400) { [self] line in
            written.withLock { $0.append(line) }
            begun.raise()
            _ = hold.wait(atMost: .seconds(60))
        }
        queue.append("first")
        #expect(begun.wait(atMost: .seconds(20)))
        for number in 0..<1000 { queue.append("line \(100 + number)") }
        hold.raise()
        queue.finish(atMost: .seconds(20))
        queue.append("last")
        queue.finish(atMost: .seconds(20))
        // Each line weighs 40 of the 400.
        let kept = (100..<110).map { "line \($0)" }
        #expect(written.withLock { $0 } == ["first"] + kept + ["990 lines dropped: nobody read them in time", "last"])
    }

    @Test("The end does not wait for ever")
    func end() {
        let hold = StopSignal()
        let queue = LineQueue { _ in _ = hold.wait(atMost: .seconds(60)) }
        queue.append("line")
        queue.finish(atMost: .milliseconds(1))
        hold.raise()
    }
}
