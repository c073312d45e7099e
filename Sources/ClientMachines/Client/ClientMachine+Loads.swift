import DequeModule
import MachineContract
import NIOCore

/// Loads: answers that come from a loader instead of a connection.
extension ClientMachine {
    /// What one loader has said and its task has not taken yet.
    ///
    /// Bounded by the loader: the session's own wait to be asked; a protocol class says what it likes, when it likes,
    /// and what it says is its process's own memory.
    final class Load {
        let id: LoadID
        var events: Deque<LoadEvent> = []
        /// It owes us an event.
        var isAwaited = true

        /// From the session's cache, which has nothing else to say than the answer.
        private let isKept: Bool

        init(_ id: LoadID, isKept: Bool) { (self.id, self.isKept) = (id, isKept) }

        /// The rest of the answer, if it is certain and in one piece.
        var wholeRest: ByteBuffer? {
            guard isKept else { return nil }
            return switch (events.count, events.first) {
            case (1, .end?): ByteBuffer()
            case (2, .data(let bytes)?) where events.last == .end: bytes
            default: nil
            }
        }
    }

    func beginLoad(_ action: LoadAction, for task: TaskID, _ slot: Slot, _ turn: inout Turn) {
        var isKept = false
        if case .beginKept = action { isKept = true }
        let load = Load(nextLoadID(), isKept: isKept)
        slot.load = load
        turn.outputs.append(.load(task, load.id, action))
    }

    /// False when the task has none.
    func endLoad(of task: TaskID, _ slot: Slot, _ turn: inout Turn) -> Bool {
        guard let load = slot.load else { return false }
        slot.load = nil
        turn.outputs.append(.load(task, load.id, .end))
        return true
    }

    func loaded(_ task: TaskID, _ id: LoadID, _ event: LoadEvent, _ turn: inout Turn) {
        // A load that is over: its loader had not heard of that yet, an expected race.
        guard let load = tasks[task]?.load, load.id == id else { return }
        if case .whole(let response, let body) = event {
            load.events.append(.response(response))
            if body.readableBytes > 0 { load.events.append(.data(body)) }
            load.events.append(.end)
        } else {
            load.events.append(event)
        }
        load.isAwaited = false
        arrived(for: task, isAnswer: event.isAnswer, &turn)
    }

    /// Hands over what the loader has said, as far as the task wants it, and asks for more.
    func pullLoad(_ id: TaskID, _ slot: Slot, _ turn: inout Turn) {
        while let load = slot.load, slot.machine.wantsEvents {
            if let event = load.events.popFirst() {
                feed(slot, id, .loaded(event), &turn)
                continue
            }
            guard !load.isAwaited else { return }
            load.isAwaited = true
            turn.outputs.append(.load(id, load.id, .goOn))
        }
    }
}
