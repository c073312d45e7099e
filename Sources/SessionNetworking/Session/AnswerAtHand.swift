#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore

/// The answer of a task that was in memory when the task was resumed, until the user is told.
///
/// It was played on the thread that has resumed the task, and is told where the user is told anyway: no loop is woken
/// (BEHAVIOUR 2.D4-memory). Until then whatever else happens to the task leads it into the engine.
final class AnswerAtHand: @unchecked Sendable {
    // Safety: only the one who tells the user touches `played`.

    /// How the task begins in the engine.
    let start: ClientInput
    let played: TaskAtHand
    let storages: StoragesAtHand
    /// What the delegate says of the response.
    let disposition = PromptAnswer()

    init(_ start: ClientInput, _ played: TaskAtHand, _ storages: StoragesAtHand) {
        (self.start, self.played, self.storages) = (start, played, storages)
    }
}

/// What a task that is played without an engine finds in its session.
final class StoragesAtHand: TaskAtHand.Storages {
    private let cache: URLCache
    private let cookies: HTTPCookieStorage?
    private let first: CacheKey
    private(set) var offered: [OfferedResponse]

    /// - Parameter offered: What is in memory under the first key.
    init(_ cache: URLCache, _ cookies: HTTPCookieStorage?, first: CacheKey, offered: [OfferedResponse]) {
        (self.cache, self.cookies, self.first, self.offered) = (cache, cookies, first, offered)
    }

    func answer(_ question: UserQuestion) -> UserAnswer? {
        switch question {
        case .cookies(let url):
            return .cookies(cookies?.field(for: url).map { SecretText($0) })
        case .kept(let key):
            if key != first { offered = cache.find(key) }
            return .kept(offered.map(\.record))
        default:
            return nil
        }
    }

    /// The one that is the answer; in the engine it stands for all.
    func keepOnly(_ index: Int) -> OfferedResponse {
        offered = [offered[index]]
        return offered[0]
    }

    func kept(_ index: Int, for request: ClientRequest) -> (Response, ByteBuffer)? {
        guard offered.indices.contains(index), case .whole(let kept, _) = offered[index] else { return nil }
        return KeptLoader.wholeAnswer(kept, to: request)
    }
}

extension URLSession {
    /// Looks into the cache for a task that starts, and plays the task if its answer is there. Called under the task's
    /// lock.
    func answerAtHand(
        _ plan: inout TaskPlan, of task: URLSessionTask, _ state: inout URLSessionTask.Shared
    ) -> AnswerAtHand? {
        guard plan.usesCache, !plan.hasProtocols, plan.delay == nil, !plan.cacheRule.ignoresKept, let cache,
            cache.isPlain, cookieStorage?.isPlain != false, cache.mayHaveSome, !isInvalid,
            let key = CacheKey(plan.request.url)
        else { return nil }
        let found = cache.find(key)
        guard !found.isEmpty else {
            if !cache.mayBeOnDisk(key) { plan.lookup = .nothing }
            return nil
        }
        // Let go outside of the lock: they may hold objects of the caller's.
        state.offered = found
        let moment = dispatcher.world.clock.momentWithoutChance, request = plan.request, rule = plan.cacheRule
        let isUsable = { (one: OfferedResponse) in
            let decision = ReuseDecision.decide(
                rule, method: request.method, fields: request.fields, stored: one.record, at: moment.date)
            return decision == .use
        }
        guard found.contains(where: isUsable) else { return nil }
        let storages = StoragesAtHand(cache, cookieStorage, first: key, offered: found)
        guard let played = TaskAtHand(plan, machineSettings, storages, at: moment) else { return nil }
        if played.question != nil { plan.lookup = .answer(storages.keepOnly(played.index).record) }
        return AnswerAtHand(.start(TaskID(task.identifier), plan, suspended: false), played, storages)
    }
}
#endif
