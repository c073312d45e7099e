import Dispatch
import HTTPBasics
import Locks

/// Lines on their way to somebody who may not read them: whoever has one to say never waits.
///
/// A queue of its own writes them. When more than a mebibyte waits, what comes is dropped and counted.
final class LineQueue: Sendable {
    private struct Waiting {
        var lines: [String] = []
        var weight = 0
        var dropped = 0
        var isEmpty: Bool { lines.isEmpty && dropped == 0 }
    }

    /// What a line takes besides its text.
    private static let overhead = 32

    private let mostWeight: Int
    private let waiting = Lock((lines: Waiting(), isWriting: false))
    private let queue = DispatchQueue(label: "understudy.lines")
    private let write: @Sendable (String) -> Void

    /// `write` is given one line at a time and may block.
    init(mostWeight: Int = 1 << 20, write: @escaping @Sendable (String) -> Void) {
        self.mostWeight = mostWeight
        self.write = write
    }

    func append(_ line: String) {
        let isFirst = waiting.withLock { waiting in
            let weight = line.utf8.count + LineQueue.overhead
            if waiting.lines.weight + weight > mostWeight {
                waiting.lines.dropped += 1
            } else {
                waiting.lines.lines.append(line)
                waiting.lines.weight += weight
            }
            defer { waiting.isWriting = true }
            return !waiting.isWriting
        }
        if isFirst { queue.async { self.writeAll() } }
    }

    /// Returns when all is written, or when nobody has read it for so long.
    func finish(atMost span: DispatchTimeInterval = .seconds(2)) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + span)
    }

    private func writeAll() {
        while let next = take() {
            for line in next.lines { write(line) }
            if next.dropped > 0 { write("\(next.dropped.counting("line")) dropped: nobody read them in time") }
        }
    }

    private func take() -> Waiting? {
        waiting.withLock { waiting in
            defer { waiting.lines = Waiting() }
            waiting.isWriting = !waiting.lines.isEmpty
            return waiting.isWriting ? waiting.lines : nil
        }
    }
}
