#if !canImport(Darwin)
import ClientMachines
import Foundation

/// Tasks whose answers were at hand when they were resumed: the user is told without the engine.
extension DelegateDispatcher {
    /// On the thread that has resumed the task. A caller whom nobody could be told before has the answer at once.
    func answerAtHand(_ task: URLSessionTask) {
        if hasNobodyElse(task), let atHand = decide(task, isAlone: true) {
            return tell(atHand.played.calls, of: atHand, to: task)
        }
        post(.job { self.tellAtHand(task) })
    }

    /// Decides, in one step with everything that a user can do to the task, that it ends like this.
    private func decide(_ task: URLSessionTask, isAlone: Bool = false) -> AnswerAtHand? {
        task.shared.withLock { state in
            guard let atHand = state.atHand, atHand.played.isOver, !isAlone || !state.isWatched else { return nil }
            (state.atHand, state.isDecided) = (nil, true)
            return atHand
        }
    }

    private func tellAtHand(_ task: URLSessionTask) {
        if let atHand = decide(task) { return tell(atHand.played.calls, of: atHand, to: task) }
        let disposition = PromptAnswer()
        let atHand = task.shared.withLock { state in
            if state.atHand != nil { state.disposition = disposition }
            return state.atHand
        }
        if let atHand, let response = atHand.played.question { ask(about: response, disposition, atHand, task) }
    }

    /// A delegate that allows the response at once has the rest at once. Otherwise the task goes on in the engine,
    /// which finds that the delegate was asked already.
    private func ask(
        about response: Response, _ disposition: PromptAnswer, _ atHand: AnswerAtHand, _ task: URLSessionTask
    ) {
        guard let session = task.session, let dataTask = task as? URLSessionDataTask else { return }
        begin(
            ResponseQuestion(session: session, dataTask: dataTask, response: task.note(response)) {
                disposition.give(Self.answer($0))
            })
        var calls: [UserCall]?
        if disposition.given == .response(allow: true) {
            calls = atHand.played.allow(atHand.storages, at: world.clock.momentWithoutChance)
        }
        let rest = task.shared.withLock { state in
            guard state.atHand === atHand else { return URLSession.Rest.nothing }
            if calls == nil {
                session.leaveToEngine(task, &state)
                return .wakeEngine
            }
            (state.atHand, state.disposition, state.isDecided) = (nil, nil, true)
            return .tell
        }
        if case .tell = rest { tell(calls ?? [], of: atHand, to: task) } else { session.carryOut(rest, of: task) }
    }

    /// On the delegate queue, or where nobody can be told before.
    private func tell(_ calls: [UserCall], of atHand: AnswerAtHand, to task: URLSessionTask) {
        atHand.storages.remember()
        for call in calls {
            switch call {
            case .requestChanged:
                arrived(call, for: task)
            case .response(let response):
                arrived(response, for: task)
            case .data(let bytes):
                let isTold = task.shared.withLock { state in
                    state.received += Int64(bytes.readableBytes)
                    return state.tellsBody
                }
                if isTold { tell(call, to: task) } else { task.endpoint.keep(bytes) }
            case .metrics(let metrics):
                world.onMetrics?(TaskID(task.identifier), metrics)
                if !candidates(.metrics, for: task).isEmpty { tell(call, to: task) }
            case .complete(let failure):
                complete(task, failure)
            default:
                tell(call, to: task)
            }
        }
    }
}
#endif
