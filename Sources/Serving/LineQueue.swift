import Dispatch
import HTTPBasics
import Locks

/// Lines on their way to a reader that may not read them: the writer of a line never waits.
///
/// A queue of its own writes them. When more than a mebibyte of traces waits behind those that it has taken, or of
/// other lines, what comes of that kind is left out, and counted where it is missing.
final class LineQueue: Sendable {
    private enum Entry {
        case line(String)
        /// So many are missing here.
        case gap(Int)
    }

    private struct Waiting {
        var entries: [Entry] = []
        var traceWeight = 0
        var otherWeight = 0
        /// Lines that are not written yet, those among them that are left out or that the writer has taken.
        var unread = 0
        var isWriting = false

        mutating func append(_ line: String) {
            entries.append(.line(line))
            unread += 1
        }

        mutating func leaveOut() {
            unread += 1
            guard case .gap(let count)? = entries.last else { return entries.append(.gap(1)) }
            entries[entries.count - 1] = .gap(count + 1)
        }
    }

    /// What a line takes besides its text.
    private static let overhead = 32

    private let mostWeight: Int
    private let waiting = Lock(Waiting())
    private let queue = DispatchQueue(label: "understudy.lines")
    private let write: @Sendable (String) throws -> Void

    /// `write` is given one line at a time and may block; it throws where the line cannot be read. `mostWeight` bounds
    /// traces and other lines each.
    init(mostWeight: Int = 1 << 20, write: @escaping @Sendable (String) throws -> Void) {
        self.mostWeight = mostWeight
        self.write = write
    }

    /// Traces come as fast as requests do; they leave room for what is said of rounds.
    func append(_ line: String, isTrace: Bool = false) {
        let isFirst = waiting.withLock { waiting in
            let kind = isTrace ? \Waiting.traceWeight : \.otherWeight
            let weight = waiting[keyPath: kind] + line.utf8.count + LineQueue.overhead
            if weight > mostWeight {
                waiting.leaveOut()
            } else {
                waiting.append(line)
                waiting[keyPath: kind] = weight
            }
            defer { waiting.isWriting = true }
            return !waiting.isWriting
        }
        if isFirst { queue.async { self.writeAll() } }
    }

    /// Returns when all is written, or when nothing has been read for so long: then with the number of lines that
    /// were not read.
    func finish(patience: DispatchTimeInterval = .seconds(2)) -> Int {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        var unread = Int.max
        while done.wait(timeout: .now() + patience) == .timedOut {
            let left = waiting.withLock { $0.unread }
            if left == unread { return left }
            unread = left
        }
        return waiting.withLock { $0.unread }
    }

    private func writeAll() {
        while let entries = take() {
            for entry in entries {
                switch entry {
                case .line(let line): writeOne(line, for: 1)
                case .gap(let count):
                    let text = "\(count.counting("line")) left out here: they came faster than they were read"
                    writeOne(text, for: count)
                }
            }
        }
    }

    private func writeOne(_ line: String, for count: Int) {
        // One that cannot be written stays unread.
        guard (try? write(line)) != nil else { return }
        waiting.withLock { $0.unread -= count }
    }

    private func take() -> [Entry]? {
        waiting.withLock { waiting in
            let entries = waiting.entries
            waiting = Waiting(unread: waiting.unread, isWriting: !entries.isEmpty)
            return entries.isEmpty ? nil : entries
        }
    }
}
