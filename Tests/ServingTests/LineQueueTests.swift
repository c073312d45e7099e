import Locks
import TestSupport
import Testing

@testable import Serving

@Suite("Lines that may not be read", .endsInTime)
final class LineQueueTests: Sendable {
    private let written = Lock<[String]>([])

    @Test("They are written in order")
    func order() {
        let queue = LineQueue { [self] line in written.withLock { $0.append(line) } }
        let lines = (0..<1000).map { "line \($0)" }
        for line in lines { queue.append(line) }
        #expect(queue.finish(patience: .seconds(20)) == 0)
        #expect(written.withLock { $0 } == lines)
    }

    @Test("Those that cannot be written were not read")
    func unwritable() {
        let queue = LineQueue { if $0 != "well" { throw CancellationError() } }
        for line in ["well", "a", "well", "b"] { queue.append(line) }
        #expect(queue.finish(patience: .seconds(20)) == 2)
    }

    /// Appends while the first line's writer waits, then lets it go on.
    private func written(mostWeight: Int, _ append: (LineQueue) -> Void) -> [String] {
        let (begun, hold) = (StopSignal(), StopSignal())
        let queue = LineQueue(mostWeight: mostWeight) { [self] line in
            written.withLock { $0.append(line) }
            begun.raise()
            _ = hold.wait(atMost: .seconds(60))
        }
        queue.append("first")
        #expect(begun.wait(atMost: .seconds(20)))
        append(queue)
        hold.raise()
        #expect(queue.finish(patience: .seconds(20)) == 0)
        return written.withLock { $0 }
    }

    @Test("Without a reader some wait, and the rest are counted where they are missing", arguments: [false, true])
    func dropped(isTrace: Bool) {
        let lines = written(mostWeight: 400) { queue in
            for number in 0..<1000 { queue.append("line \(100 + number)", isTrace: isTrace) }
        }
        // Each line weighs 40 of the 400.
        let kept = (100..<110).map { "line \($0)" }
        #expect(lines == ["first"] + kept + ["990 lines left out here: they came faster than they were read"])
    }

    @Test("Traces, however many, leave room for verdicts, and stay in their places")
    func verdicts() {
        let lines = written(mostWeight: 400) { queue in
            for number in 0..<30 {
                queue.append("line \(100 + number)", isTrace: true)
                if number % 10 == 9 { queue.append("verdict") }
            }
        }
        let kept = (100..<110).map { "line \($0)" }
        let gap = "10 lines left out here: they came faster than they were read"
        #expect(lines == ["first"] + kept + ["verdict", gap, "verdict", gap, "verdict"])
    }

    @Test("The end waits for a slow reader as long as there is one")
    func slowReader() {
        let pace = StopSignal()
        let queue = LineQueue { [self] line in
            _ = pace.wait(atMost: .milliseconds(100))
            written.withLock { $0.append(line) }
        }
        for number in 0..<5 { queue.append("line \(number)") }
        #expect(queue.finish(patience: .milliseconds(400)) == 0)
        #expect(written.withLock { $0.count } == 5)
    }

    @Test("The end does not wait for ever, and says how many lines were not read")
    func end() {
        let hold = StopSignal()
        let queue = LineQueue(mostWeight: 400) { _ in _ = hold.wait(atMost: .seconds(60)) }
        for number in 0..<100 { queue.append("line \(100 + number)") }
        #expect(queue.finish(patience: .milliseconds(1)) == 100)
        hold.raise()
    }
}
