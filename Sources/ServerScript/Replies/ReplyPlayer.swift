import HTTPBasics
import NIOCore

/// Plays one answer: informational ones, head, timeline, rest of the body, framing, with the faults at their positions.
///
/// A pull machine: each call yields one move, and body bytes are generated only when they are asked for. Faults
/// are looked at when everything before them has been handed out.
struct ReplyPlayer {
    private enum Stage {
        case interims
        case head
        /// Head and body leave as one, and nothing is to happen behind them.
        case whole
        case headEnd
        case timeline
        case ending
        case finished
    }

    /// Body bytes that the current step still wants out.
    private struct Job {
        var left = 0
        var isOneChunk = false
        var sizeLine: String?
    }

    private static let piece = 32 << 10

    private let reply: PreparedReply
    private var interims: InterimPlayer
    /// Those that have not fired yet.
    private(set) var faults: PendingFaults
    private var stage = Stage.interims
    private var outbox = ByteBuffer()
    private var headOffset = 0
    private var bodyOffset = 0
    private var timeline: TimelineCursor
    private var job = Job()
    private var chunks = ChunkWriter()
    private var isTerminationDue = false
    private var isTerminated = false
    private var split = Int.max

    init(_ reply: PreparedReply, interims: InterimPlayer, faults: PendingFaults) {
        self.reply = reply
        self.interims = interims
        self.faults = faults
        timeline = TimelineCursor(reply.timeline)
        // A split that comes before everything else holds for the head too.
        if case .split(let size) = reply.timeline.first { split = max(1, size) }
    }

    var closesAfter: Bool { reply.closesAfter }
    var status: Int { reply.status }

    /// The next move; nil while so many bytes are `outstanding` that there is no room for more. Writes have at most
    /// `limit` bytes, which must not be 0.
    mutating func next(outstanding: Int, limit: Int) -> ReplyMove? {
        // Tiny segments count for more than their bytes: a thousand of them may be under way.
        let (scaled, overflow) = split.multipliedReportingOverflow(by: 1024)
        let room = min(ServerConnection.window, overflow ? .max : scaled) - outstanding
        guard room > 0 else { return nil }
        while true {
            if outbox.readableBytes > 0 {
                let count = min(room, limit, split, outbox.readableBytes)
                timeline.wasProductive()
                if let slice = outbox.readSlice(length: max(1, count)) { return writing(slice) }
            }
            outbox = ByteBuffer()
            if let move = advance() {
                timeline.wasProductive()
                return move
            }
        }
    }

    /// Unless the script wants to see it apart, a head leaves with the beginning of its body.
    private func writing(_ bytes: ByteBuffer) -> ReplyMove {
        stage == .head || stage == .whole ? .head(bytes, isApart: split < .max) : .write(bytes)
    }

    private mutating func advance() -> ReplyMove? {
        switch stage {
        case .interims:
            switch interims.next(upTo: interims.count, faults: &faults) {
            case .head(let bytes, _): return .head(bytes, isApart: split < .max)
            case .some(let move): return move
            case nil: stage = .head
            }
        case .head: return advanceHead()
        case .whole:
            stage = .finished
            return .answered(status: reply.status)
        case .headEnd:
            if let fault = faults.take(at: .headEnd) { return .fault(fault) }
            stage = .timeline
        case .timeline, .ending: return advanceTimeline()
        case .finished: return .finished
        }
        return nil
    }
}

// MARK: Head

extension ReplyPlayer {
    private mutating func advanceHead() -> ReplyMove? {
        let offset = headOffset, reply = reply
        if let fault = faults.take(where: { reply.headPosition(of: $0) == offset }) { return .fault(fault) }
        guard headOffset < reply.head.readableBytes else {
            stage = .headEnd
            return .answered(status: reply.status)
        }
        if headOffset == 0, faults.list.isEmpty, let whole = reply.whole {
            stage = .whole
            outbox = whole
            return nil
        }
        let end = faults.nextPosition(from: headOffset, reply.headPosition) ?? .max
        let count = min(end, reply.head.readableBytes) - headOffset
        if let slice = reply.head.getSlice(at: reply.head.readerIndex + headOffset, length: count) {
            outbox = slice
        }
        headOffset += count
        return nil
    }
}

// MARK: Body

extension ReplyPlayer {
    private var bodyLeft: Int { reply.range.count - bodyOffset }
    /// A chunk is only over with its line break, which may still be due when all its data is out.
    private var hasWork: Bool { job.left > 0 || chunks.dataLeft != nil }

    private mutating func bodyFault() -> Fault? {
        let offset = bodyOffset, landmark = chunks.landmark
        return faults.take { $0 == .body(offset) || $0 == landmark }
    }

    private mutating func advanceTimeline() -> ReplyMove? {
        if let fault = bodyFault() { return .fault(fault) }
        if hasWork {
            fillBody()
            return nil
        }
        if isTerminationDue {
            terminate()
            return nil
        }
        guard stage == .timeline else {
            if let fault = faults.take(at: .end) { return .fault(fault) }
            stage = .finished
            return nil
        }
        guard let step = timeline.next() else {
            // The rest of the timeline is sent now, then the framing's end.
            stage = .ending
            closeBody()
            return nil
        }
        return perform(step)
    }

    private mutating func perform(_ step: SendStep) -> ReplyMove? {
        switch step {
        case .bytes(let count): job = Job(left: min(max(0, count), bodyLeft))
        case .chunk(let count, let sizeLine):
            job = Job(left: min(max(0, count), bodyLeft), isOneChunk: true, sizeLine: sizeLine)
        case .rest: job = Job(left: bodyLeft)
        case .wait(let span): return .wait(span)
        case .raw(let content): content.append(from: 0, count: content.count, to: &outbox)
        case .split(let size): split = max(1, size)
        case .trailers: closeBody()
        case .stall: return .stall
        case .signal(let name): return .raise(name)
        case .await(let name): return .await(name)
        case .repeat: break
        }
        return nil
    }

    /// What is left goes out before the trailers: they end the body.
    private mutating func closeBody() {
        job = Job(left: bodyLeft)
        isTerminationDue = !isTerminated
    }

    private mutating func terminate() {
        if case .chunked = reply.framing { chunks.end(with: reply.trailers, faults, into: &outbox) }
        isTerminated = chunks.isOver || reply.framing == .identity
        isTerminationDue = !isTerminated
    }

    /// Puts the next piece of the job into the outbox, up to the next fault's position.
    private mutating func fillBody() {
        let cut = faults.nextPosition(from: bodyOffset) { landmark in
            if case .body(let count) = landmark { return count }
            return nil
        }
        let room = min(ReplyPlayer.piece, (cut ?? .max) - bodyOffset)
        guard case .chunked(let size) = reply.framing else { return emit(min(job.left, room)) }
        if chunks.dataLeft == nil {
            chunks.open(job.isOneChunk ? job.left : min(size, job.left), sizeLine: job.sizeLine, into: &outbox)
            if faults.areDue(at: chunks.landmark) { return }
        }
        let count = min(chunks.dataLeft ?? 0, room)
        emit(count)
        chunks.wrote(count)
        // A fault at the last data byte comes before the line break that ends the chunk.
        if chunks.dataLeft == 0, cut != bodyOffset, !faults.areDue(at: chunks.landmark) { chunks.close(into: &outbox) }
    }

    private mutating func emit(_ count: Int) {
        reply.body.append(from: reply.range.lowerBound + bodyOffset, count: count, to: &outbox)
        bodyOffset += count
        job.left -= count
    }
}
