#if !canImport(Darwin)
import ClientMachines
import Foundation
import Locks
import NIOCore

/// On the delegate queue: a response whose body came with its head costs one hop instead of three.
///
/// What the machine will say once it has the answer is known: these bytes, then success. So it is told here and now,
/// and the machine's own words, when they come, find nobody. Nothing of this is seen from outside but the time saved.
extension DelegateDispatcher {
    /// Takes an answer that was given while the delegate was still being asked.
    func answered(_ id: QuestionID, of task: URLSessionTask, _ answer: UserAnswer, rest: ByteBuffer) {
        guard answer == .response(allow: true), runAhead(with: id, of: task) else { return submit(.answer(id, answer)) }
        if rest.readableBytes > 0 {
            task.shared.withLock { $0.received += Int64(rest.readableBytes) }
            tell(.data(rest), to: task)
        }
        complete(task, nil)
        // Here and not before: by now the machine has more to do than to forget a task.
        wake()
    }

    /// Decides, in one step with everything that a user or the machine can do to the task, that it ends well. Whoever
    /// cancels or suspends it later comes too late: the machine hears of the answer first.
    private func runAhead(with id: QuestionID, of task: URLSessionTask) -> Bool {
        task.shared.withLock { state in
            guard state.gate.isRunning, !state.isDecided, let engine = forget(task) else { return false }
            state.isDecided = true
            _ = engine.enqueue(.answer(id, .response(allow: true)))
            return true
        }
    }
}

/// Whether a question was answered before its delegate method returned.
final class PromptAnswer: Sendable {
    private enum State { case awaited, given(UserAnswer), closed }
    private let state = Lock(State.awaited)

    /// False when it comes too late, and has to go the long way.
    func take(_ answer: UserAnswer) -> Bool {
        state.withLock { state in
            switch state {
            case .awaited: state = .given(answer)
            case .given: break  // A second answer counts for nothing.
            case .closed: return false
            }
            return true
        }
    }

    /// The answer, if there was one.
    func close() -> UserAnswer? {
        state.withLock { state in
            defer { state = .closed }
            if case .given(let answer) = state { return answer }
            return nil
        }
    }
}
#endif
