import HTTPBasics
import MachineContract

/// Stage `delayed`: `earliestBeginDate` has not come yet, and no timer runs (BEHAVIOUR 1.B18).
extension TaskMachine {
    /// Waits, or goes on if the moment has come. A suspended task waits for its resume as well.
    func wait(until due: Instant, _ turn: inout Turn) {
        stage = .delayed(until: due)
        guard !isSuspended, due <= turn.now else { return }
        // The life of a task is counted from where it begins to load.
        timeouts = TimeoutPlan(request: plan.requestTimeout, resource: plan.resourceTimeout, at: turn.now)
        guard plan.asks.contains(.delayedRequest) else { return begin(&turn) }
        ask(.delayedRequest, .delayedRequest(request), &turn)
    }

    func answered(_ answer: DelayedRequestAnswer, _ turn: inout Turn) {
        switch answer {
        case .cancel:
            return interrupt(.cancelled(keepingResumeData: false), &turn)
        case .use(let other):
            (request, home) = (other, other.url.nominalOrigin)
            turn.outputs.append(.tell(.requestChanged(other)))
        case .continueLoading:
            break
        }
        if isSuspended { stage = .idle } else { begin(&turn) }
    }
}
