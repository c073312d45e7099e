import DequeModule
import HTTPBasics
import NIOCore

/// One direction of a connection: what was written and does not fit yet, and what is on its way or unread.
final class Pipe {
    /// As much as a pair of socket buffers holds; the writer waits for the reader beyond it.
    static let capacity = 64 * 1024
    /// A reader opens the window by no less, so that bytes that were read one by one are not sent one by one ever after
    /// (RFC 9293 3.8.6.2.2, the silly window).
    private static let openingStep = 16 * 1024

    enum Item: Equatable {
        case bytes(ByteBuffer)
        case fin
    }

    private struct Segment {
        var due: Instant
        var item: Item
    }

    /// What the writer is told when bytes were taken.
    enum Report: Equatable {
        case nothing
        /// How many, each time that some were.
        case taken
        /// Once all were: so many, in whose place they are sent.
        case bent(Int)
    }

    private var waiting: Deque<(bytes: ByteBuffer, report: Report)> = []
    private var segments: Deque<Segment> = []
    /// When the last of it arrives.
    private(set) var latestDue = Instant.zero
    /// When what has entered is on its way, at the rate of the line.
    private var lineFree = Instant.zero
    /// Bytes in the pipe, unread.
    private(set) var held = 0
    /// Bytes that have entered the pipe since it was opened.
    private(set) var entered = 0
    private(set) var isFinished = false

    /// All that was written is in the pipe.
    var isFlushed: Bool { waiting.isEmpty }
    /// The window: how much may enter. What is read opens it again, in steps.
    private(set) var free = Pipe.capacity
    /// When the next item can be read; nil while there is none.
    var nextDue: Instant? { segments.first?.due }

    func write(_ bytes: ByteBuffer, _ report: Report) { waiting.append((bytes, report)) }

    /// The next bytes that may enter now, at most `limit`, and how many the writer is told of; the caller passes them
    /// to `enter`.
    func takeWaiting(atMost limit: Int) -> (ByteBuffer, reported: Int)? {
        guard limit > 0, !waiting.isEmpty else { return nil }
        let count = min(limit, waiting[0].bytes.readableBytes)
        let report = waiting[0].report
        guard let slice = waiting[0].bytes.readSlice(length: count) else { return nil }
        let isWhole = waiting[0].bytes.readableBytes == 0
        if isWhole { waiting.removeFirst() }
        switch report {
        case .nothing: return (slice, 0)
        case .taken: return (slice, count)
        case .bent(let bytes): return (slice, isWhole ? bytes : 0)
        }
    }

    /// How much the writer wants to get in at once: the rest of its first write.
    var waitingCount: Int { waiting.first?.bytes.readableBytes ?? 0 }

    /// Bytes that were written and have not entered.
    var waitingTotal: Int { waiting.reduce(0) { $0 + $1.bytes.readableBytes } }

    /// Bytes outside the pipe that no machine has written and none hears of.
    var waitingUnreported: Int {
        waiting.reduce(0) { $1.report == .nothing ? $0 + $1.bytes.readableBytes : $0 }
    }

    /// When the last of some bytes is on its way that take so long: behind all that came before them.
    func send(for span: Duration, at now: Instant) -> Instant {
        lineFree = max(lineFree, now) + span
        return lineFree
    }

    func enter(_ bytes: ByteBuffer, due: Instant) {
        held += bytes.readableBytes
        free -= bytes.readableBytes
        entered += bytes.readableBytes
        append(.bytes(bytes), due: due)
    }

    /// FIN travels behind all data.
    func finish(due: Instant) {
        guard !isFinished else { return }
        isFinished = true
        append(.fin, due: due)
    }

    func take(now: Instant) -> Item? {
        guard let first = segments.first, first.due <= now else { return nil }
        segments.removeFirst()
        if case .bytes(let bytes) = first.item { leave(bytes.readableBytes) }
        return first.item
    }

    private func leave(_ count: Int) {
        held -= count
        let room = Pipe.capacity - held
        if held == 0 || room - free >= Pipe.openingStep { free = room }
    }

    func discardWaiting() { waiting.removeAll() }

    /// What a reset does: nothing that was written is ever read.
    func discardAll() {
        waiting.removeAll()
        segments.removeAll()
        held = 0
        free = Pipe.capacity
    }

    private func append(_ item: Item, due: Instant) {
        latestDue = max(latestDue, due)
        segments.append(Segment(due: latestDue, item: item))
    }
}
