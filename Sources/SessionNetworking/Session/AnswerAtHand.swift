#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore

/// The answer of a task that was at hand when the task was resumed, until the user is told: it was in memory, or on
/// disk in a file that the system has in memory.
///
/// It was played on the thread that has resumed the task, and is told where the user is told anyway: no loop is woken
/// (BEHAVIOUR 2.D4-memory). Until then whatever else happens to the task leads it into the engine.
final class AnswerAtHand: @unchecked Sendable {
    // Safety: only the one who tells the user touches `played`; `storages.chosen`, which others read, does not change
    // once the task has been played up to its answer.

    let plan: TaskPlan
    var played: TaskAtHand
    let storages: StoragesAtHand

    init(_ plan: TaskPlan, _ played: TaskAtHand, _ storages: StoragesAtHand) {
        (self.plan, self.played, self.storages) = (plan, played, storages)
    }

    /// How the task begins in the engine. An answer that the delegate was asked about stays the answer.
    func start(_ task: URLSessionTask, wasAsked: Bool) -> ClientInput {
        var plan = plan
        if wasAsked, let chosen = storages.chosen { plan.lookup = .answer(chosen.record) }
        return .start(TaskID(task.identifier), plan, suspended: false)
    }
}

/// What a task that is played without an engine finds in its session.
final class StoragesAtHand: TaskAtHand.Storages {
    private let cache: URLCache
    private let cookies: HTTPCookieStorage?
    /// What was asked about last, and what is at hand under it.
    private var key: CacheKey
    private var offered: [OfferedResponse]
    /// What was at hand under the other keys, to which kept redirects have led.
    private(set) var foundLater: [OfferedResponse] = []
    /// Which of them is the answer.
    private(set) var chosen: OfferedResponse?

    /// - Parameter offered: What is at hand under the first key.
    init(_ cache: URLCache, _ cookies: HTTPCookieStorage?, first: CacheKey, offered: [OfferedResponse]) {
        (self.cache, self.cookies, key, self.offered) = (cache, cookies, first, offered)
    }

    func answer(_ question: UserQuestion) -> UserAnswer? {
        switch question {
        case .cookies(let url):
            return .cookies(cookies?.field(for: url).map { SecretText($0) })
        case .kept(let asked):
            if asked != key {
                (key, offered) = (asked, cache.find(asked))
                foundLater += offered
            }
            // Only the engine knows whom the session has been let in as (BEHAVIOUR 2.D4-authorization).
            let isByUser = offered.contains { $0.record.variant.values.keys.contains("authorization") }
            return isByUser ? nil : .kept(offered.map(\.record))
        default:
            return nil
        }
    }

    func kept(_ index: Int, for request: ClientRequest) -> (Response, ByteBuffer)? {
        guard offered.indices.contains(index) else { return nil }
        let answer: (Response, ByteBuffer)? =
            switch offered[index] {
            case .whole(let kept, _): KeptLoader.wholeAnswer(kept, to: request)
            case .onDisk(let file, _): file.whole.map { (file.answer(to: request), $0) }
            }
        if answer != nil { chosen = offered[index] }
        return answer
    }

    /// What was on disk is in memory from now on. Not under a task's lock: others may have to go for it.
    func remember() {
        if let chosen { cache.remember(chosen) }
    }
}

extension URLSession {
    /// Looks into the cache for a task that starts, and plays the task if its answer is there. Called under the task's
    /// lock.
    func answerAtHand(_ plan: inout TaskPlan, _ state: inout URLSessionTask.Shared) -> AnswerAtHand? {
        guard plan.usesCache, !plan.hasProtocols, plan.delay == nil, !plan.cacheRule.ignoresKept, let cache,
            cache.isPlain, cookieStorage?.isPlain != false, cache.mayHaveSome, !isInvalid,
            ReuseDecision.concerns(method: plan.request.method, fields: plan.request.fields),
            let key = CacheKey(plan.request.url)
        else { return nil }
        plan.cacheKey = key
        let inMemory = cache.find(key)
        // Let go outside of the lock: they may hold objects of the caller's.
        state.offered = inMemory
        guard !inMemory.isEmpty || cache.mayBeOnDisk(key) else {
            plan.lookup = .nothing
            return nil
        }
        let moment = dispatcher.world.clock.momentWithoutChance, request = plan.request, rule = plan.cacheRule
        let isUseful = { (record: StoredResponse) in
            ReuseDecision.decide(
                rule, method: request.method, fields: request.fields, stored: record, at: moment.date) == .use
        }
        if !inMemory.contains(where: { isUseful($0.record) }) {
            guard inMemory.isEmpty, request.method == "GET",
                let onDisk = cache.findOnDiskAtHand(key, at: moment.date, isUseful: isUseful)
            else { return nil }
            state.offered = [onDisk]
        }
        let storages = StoragesAtHand(cache, cookieStorage, first: key, offered: state.offered)
        let played = TaskAtHand(plan, machineSettings, storages, at: moment)
        if !storages.foundLater.isEmpty { state.offered += storages.foundLater }
        return played.map { AnswerAtHand(plan, $0, storages) }
    }
}
#endif
