import ClientMachines
import DequeModule
import NIOCore
import NIOPosix

/// Who has more to do than one turn may, of all sessions on one loop: one after another, and the loop looks at its
/// sockets in between (BEHAVIOUR 2.F28-turn). If each came back by itself, one would be due whenever another was
/// through, and the loop would never look.
final class LoopTurns: @unchecked Sendable {  // Safety: touched on its loop only.
    private static let ofThisLoop = ThreadSpecificVariable<LoopTurns>()
    /// Longer than what the loop has still to do after a turn: it runs all that is due before it looks.
    private static let breath = TimeAmount.microseconds(200)

    private let eventLoop: any EventLoop
    private var waiting: Deque<(shard: Shard, task: TaskID)> = []
    private var isScheduled = false

    private init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// To be called on the loop.
    static func on(_ eventLoop: any EventLoop) -> LoopTurns {
        if let turns = ofThisLoop.currentValue { return turns }
        let turns = LoopTurns(eventLoop)
        ofThisLoop.currentValue = turns
        return turns
    }

    func append(_ shard: Shard, _ task: TaskID) {
        waiting.append((shard, task))
        schedule()
    }

    private func schedule() {
        guard !isScheduled, !waiting.isEmpty else { return }
        isScheduled = true
        eventLoop.scheduleTask(in: Self.breath) { [self] in
            if let (shard, task) = waiting.popFirst() { shard.take(.goOn(task)) }
            // Not before: a breath that began during the turn could be over at its end.
            isScheduled = false
            schedule()
        }
    }
}
