#if !canImport(Darwin)
import ClientMachines
import Foundation
import MachineContract

/// What a task's calls mean to the engine.
extension URLSession {
    /// What a call leaves to be done outside of the task's lock.
    enum Rest {
        case nothing
        case wakeEngine
        /// The task has its answer at hand.
        case tell
    }

    /// Tells the engine what a task's gate let through. Called under the task's lock.
    func pass(_ signal: TaskGate.Signal, of task: URLSessionTask, _ state: inout URLSessionTask.Shared) -> Rest {
        let id = TaskID(task.identifier)
        leaveToEngine(task, &state)
        switch signal {
        case .start: return start(task, &state, suspended: false)
        case .suspend: return enqueue(.suspend(id))
        case .resume: return enqueue(.resume(id))
        case .cancel(let keep): return enqueue(.cancel(id, keepingResumeData: keep))
        case .startCancelled(let keep):
            _ = start(task, &state, suspended: true)
            return enqueue(.cancel(id, keepingResumeData: keep))
        }
    }

    private func enqueue(_ input: ClientInput) -> Rest { engine.enqueue(input) ? .wakeEngine : .nothing }

    private func start(_ task: URLSessionTask, _ state: inout URLSessionTask.Shared, suspended: Bool) -> Rest {
        guard var plan = task.plan else { return .nothing }
        // After the start: an invalidation meanwhile finds the task in the registry, and waits for its lock.
        defer { forgetUnstarted(task.identifier) }
        dispatcher.register(task)
        // Not before: the task's delegate may have been set after the task was made.
        let earliest = suspended ? nil : state.earliestBeginDate
        let choice = DelegateChoice(task: state.delegate, session: dispatcher.sessionDelegate)
        plan.asks = choice.questions(
            endpoint: task.endpoint, isDownload: task is URLSessionDownloadTask, isDelayed: earliest != nil)
        if plan.resumable == nil { plan.asks.remove(.bodyStreamFrom) }
        if !plan.usesCache { plan.asks.remove(.willCache) }
        if choice.taskMayDecideTrust { plan.trustScope = state.delegate.map(dispatcher.trustScope) }
        plan.hasProtocols = !protocolClasses.isEmpty
        if plan.hasProtocols { plan.asks.insert(.loadChallenge) }
        // Nobody's method, but the storage may have a credential.
        if credentialStorage != nil || plan.asks.contains(.connection) { plan.asks.insert(.challenge) }
        state.tellsBody = task.endpoint.tellsBody(to: state.delegate)
        plan.tellsBody = state.tellsBody
        plan.delay = earliest.map { delay(until: $0) }
        if !choice.able(to: .metrics).isEmpty {
            plan.metrics = .told
        } else if dispatcher.world.onMetrics != nil {
            plan.metrics = .observed
        }
        if !suspended, let atHand = answerAtHand(&plan, &state) {
            state.atHand = atHand
            return .tell
        }
        return enqueue(.start(TaskID(task.identifier), consume plan, suspended: suspended))
    }

    /// A task that has its answer at hand begins in the engine after all. Called under the task's lock.
    func leaveToEngine(_ task: URLSessionTask, _ state: inout URLSessionTask.Shared) {
        guard let atHand = state.atHand else { return }
        state.atHand = nil
        let wasAsked = state.disposition != nil
        // In front of the others, which are let go outside of the lock.
        if wasAsked, let chosen = atHand.storages.chosen { state.offered.insert(chosen, at: 0) }
        _ = engine.enqueue(atHand.start(task, wasAsked: wasAsked))
    }

    /// In whole microseconds: what a date cannot tell for sure is rounded away.
    private func delay(until date: Date) -> Duration {
        let seconds = date.timeIntervalSince(dispatcher.world.clock.date())
        return .seconds(clamping: (seconds * 1e6).rounded() / 1e6)
    }

    func carryOut(_ rest: Rest, of task: URLSessionTask) {
        switch rest {
        case .nothing: break
        case .wakeEngine: engine.wake()
        case .tell: dispatcher.answerAtHand(task)
        }
    }
}
#endif
