import HTTPBasics
import MachineContract

/// Stage `delayed`: `earliestBeginDate` has not come yet, and no timer runs (BEHAVIOUR 1.B18).
extension TaskMachine {
    /// Waits, or goes on if the moment has come. A suspended task waits for its resume as well.
    func wait(until due: Instant, at moment: Moment, into outputs: inout [TaskOutput]) {
        stage = .delayed(until: due)
        guard !isSuspended, due <= moment.instant else { return }
        // The life of a task is counted from where it begins to load.
        timeouts = TimeoutPlan(request: plan.requestTimeout, resource: plan.resourceTimeout, at: moment.instant)
        guard plan.asks.contains(.delayedRequest) else { return begin(at: moment, into: &outputs) }
        ask(.delayedRequest, .delayedRequest(request), into: &outputs)
    }

    func answered(_ answer: DelayedRequestAnswer, at moment: Moment, into outputs: inout [TaskOutput]) {
        switch answer {
        case .cancel:
            return interrupt(.cancelled(keepingResumeData: false), at: moment, into: &outputs)
        case .use(let other):
            (request, home) = (other, other.url.nominalOrigin)
            outputs.append(.tell(.requestChanged(other)))
        case .continueLoading:
            break
        }
        if isSuspended { stage = .idle } else { begin(at: moment, into: &outputs) }
    }
}
