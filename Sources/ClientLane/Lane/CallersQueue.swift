import Dispatch
import Foundation
import Locks

/// A queue as a caller gives it to a session. It could run several calls at once, and would tell if it had to; beneath
/// it lies the lane, which runs one after another.
final class CallersQueue: OperationQueue, @unchecked Sendable {
    // Safety: immutable.
    private let concurrent: DispatchQueue

    init(on lane: DispatchQueue) {
        concurrent = DispatchQueue(label: "understudy.callers", attributes: .concurrent, target: lane)
        super.init()
        maxConcurrentOperationCount = LaneSession.callsAtOnce
        underlyingQueue = concurrent
    }
}

/// Where a session has to call: on the lane, and there from the queue that it was given.
final class CallPlace: Sendable {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    let lane: DispatchQueue
    /// Nil for a session that was given none, and made a queue of its own (BEHAVIOUR 1.B1-1).
    private let queue: CallersQueue?
    /// How many sessions call from it. Each of them makes one call after another, and knows nothing of the others.
    private let sessions = Lock(1)

    init(_ lane: DispatchQueue, _ queue: CallersQueue?) {
        self.lane = lane
        self.queue = queue
        lane.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    /// Another session was given the same queue.
    func isGivenToAnother() { sessions.withLock { $0 += 1 } }

    /// The queue of the current code; nil outside of all of them.
    static var current: ObjectIdentifier? { DispatchQueue.getSpecific(key: key) }

    /// In words that follow "came"; nil where it is right.
    var fault: String? {
        if Self.current != ObjectIdentifier(self) { return "outside of the delegate queue" }
        if OperationQueue.current !== queue { return "past the queue that the session was given" }
        guard let queue, queue.operationCount > sessions.withLock(\.self) else { return nil }
        return "while more of the session's work could run at the same time"
    }
}
