#if !canImport(Darwin)
import ClientMachines
import Foundation
import MachineContract
import NIOCore

/// On the delegate queue: a response whose body came with its head costs one hop instead of three.
///
/// What the machine will say once it has the answer is known: these bytes, then success. So it is told here and now,
/// and the machine's own words, when they come, are dropped. Where anything else might end the task, it is not done.
extension DelegateDispatcher {
    /// Takes an answer that was given while the delegate was still being asked.
    func answered(_ id: QuestionID, of task: URLSessionTask, _ answer: UserAnswer, rest: ByteBuffer) {
        guard answer == .response(allow: true), let waits = runAhead(with: id, of: task) else {
            return submit(.answer(id, answer))
        }
        // Other tasks may wait for this one's connection, and this one's delegate may take its time.
        if waits { link.wake() }
        if rest.readableBytes > 0 {
            task.shared.withLock { $0.received += Int64(rest.readableBytes) }
            tell(.data(rest), to: task)
        }
        complete(task, nil)
        // Alone, it need not wake the machine: by now there may be more for it to do, and a later input
        // wakes it itself.
        if !waits { link.wake() }
    }

    /// Decides, in one step with everything that a user or the machine can do to the task, that it ends well. Whoever
    /// cancels or suspends it later is too late: the machine hears of the answer first.
    ///
    /// Nil if it is not certain to end well; else whether other tasks of the session are under way.
    private func runAhead(with id: QuestionID, of task: URLSessionTask) -> Bool? {
        task.shared.withLock { state in
            guard state.gate.isRunning, !state.isDecided, let waits = claim(task) else { return nil }
            state.isDecided = true
            _ = link.enqueue(.answer(id, .response(allow: true)))
            return waits
        }
    }

    /// Takes the task out of the machine's reach, if it is still there.
    ///
    /// - Returns: Nil if it is not; else whether other tasks are under way.
    private func claim(_ task: URLSessionTask) -> Bool? {
        state.withLock { state in
            guard !state.isCancelled, state.tasks.removeValue(forKey: TaskID(task.identifier)) != nil else {
                return nil
            }
            return !state.tasks.isEmpty
        }
    }
}
#endif
