#if !canImport(Darwin)
import ClientMachines
import Foundation

/// Tasks whose answers were in memory when they were resumed: the user is told without the engine.
extension DelegateDispatcher {
    /// On the thread that has resumed the task. A caller whom nobody could be told before has the answer at once.
    func answerAtHand(_ task: URLSessionTask) {
        if !task.shared.withLock({ $0.isWatched }), hasNobodyElse(task) { return tellAtHand(task) }
        post(.job { self.tellAtHand(task) })
    }

    /// Decides, in one step with everything that a user can do to the task, that it ends like this.
    private func tellAtHand(_ task: URLSessionTask) {
        let atHand = task.shared.withLock { state -> AnswerAtHand? in
            guard let atHand = state.atHand, atHand.played.isOver else { return state.atHand }
            (state.atHand, state.isDecided) = (nil, true)
            return atHand
        }
        guard let atHand else { return }
        if let response = atHand.played.question { return ask(about: response, atHand, task) }
        tell(atHand.played.calls, to: task)
    }

    /// A delegate that allows the response at once has the rest at once. Otherwise the task goes on in the engine, which
    /// finds that the delegate was asked already.
    private func ask(about response: Response, _ atHand: AnswerAtHand, _ task: URLSessionTask) {
        guard let session = task.session, let dataTask = task as? URLSessionDataTask else { return }
        let disposition = atHand.disposition
        let isWanted = task.shared.withLock { state in
            guard state.atHand === atHand else { return false }
            state.disposition = disposition
            return true
        }
        guard isWanted else { return }
        begin(
            ResponseQuestion(session: session, dataTask: dataTask, response: task.note(response)) {
                disposition.give(Self.answer($0))
            })
        var calls: [UserCall]?
        if disposition.given == .response(allow: true) {
            calls = atHand.played.allow(atHand.storages, at: world.clock.momentWithoutChance)
        }
        let isDecided = task.shared.withLock { state in
            guard state.atHand === atHand else { return false }
            if calls == nil { session.leaveToEngine(&state) }
            (state.atHand, state.isDecided) = (nil, calls != nil)
            return calls != nil
        }
        if isDecided, let calls { tell(calls, to: task) } else { session.goOn(with: task) }
    }

    /// On the delegate queue, or where nobody can be told before.
    private func tell(_ calls: [UserCall], to task: URLSessionTask) {
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
                tell(call, to: task)
            case .complete(let failure):
                complete(task, failure)
            default:
                tell(call, to: task)
            }
        }
    }
}
#endif
