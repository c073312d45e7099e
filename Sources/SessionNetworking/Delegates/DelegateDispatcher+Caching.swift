#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract

/// What is kept, and what becomes of answers that may be. A cache of ours answers on the engine's thread, unless its
/// disk has to be read; a subclass is asked and told on the delegate queue, and its answer may come from any thread, at
/// any time.
extension DelegateDispatcher {
    // MARK: - What is kept

    /// On the engine's thread. False: the cache is a subclass, and has to be asked.
    func findKept(_ key: CacheKey, _ id: QuestionID, of task: URLSessionTask) -> Bool {
        guard let cache = task.session?.cache, cache.isPlain else { return false }
        let kept = cache.find(key), fields = kept.isEmpty ? Fields() : task.sentFields
        if kept.contains(where: { $0.record.variant.mayMatch(fields) }) || !cache.mayBeOnDisk(key) {
            offer(kept, id, to: task)
        } else {
            findOnDisk(key, id, of: task, cache, besides: kept)
        }
        return true
    }

    /// Nobody waits for a disk that is slow: it is passed over, and not asked again before it has answered
    /// (BEHAVIOUR 2.D7-slow).
    private func findOnDisk(
        _ key: CacheKey, _ id: QuestionID, of task: URLSessionTask, _ cache: URLCache, besides kept: [OfferedResponse]
    ) {
        guard !cache.isDiskSlow else { return offer(kept, id, to: task) }
        let reading = PatientRead(of: cache, for: task, later: world.later) { task in
            task.session?.dispatcher.offer(kept, id, to: task)
        }
        let readsAhead = task.plan?.request.method != "HEAD"
        cache.findOnDisk(key, readsAhead: readsAhead, on: executor(\.cacheReader), later: world.later) { found in
            if let task = reading.end() { self.offer(kept + found, id, to: task) }
        }
    }

    /// On the delegate queue.
    func askForKept(_ id: QuestionID, _ task: URLSessionTask, _ session: URLSession) {
        guard let cache = session.cache, let dataTask = task as? URLSessionDataTask else {
            return offer([], id, to: task)
        }
        let answering = OnlyOnce(())
        cache.getCachedResponse(for: dataTask) { kept in
            guard answering.take() != nil else { return }
            // What is no answer of HTTP is not offered.
            let record = kept.flatMap { $0.record ?? StoredResponse($0, for: task.sentFields, at: cache.now) }
            self.offer(kept.flatMap { kept in record.map { [.whole(kept, $0)] } } ?? [], id, to: task)
        }
    }

    /// Asks for what a protocol class is given of what is kept; nil: nothing is (BEHAVIOUR 2.D8).
    func keptForClass(_ task: URLSessionTask) -> ProtocolLoader.KeptSource? {
        guard let dataTask = task as? URLSessionDataTask, let plan = task.plan, plan.usesCache,
            !plan.cacheRule.ignoresKept, let cache = task.session?.cache
        else { return nil }
        return { take in
            let find: @Sendable () -> Void = {
                cache.getCachedResponse(for: dataTask) { kept in
                    // The session adds nothing to what a class is asked for: another variant is not its answer.
                    let isRight = kept?.record?.variant.matches(dataTask.sentFields) ?? true
                    take(isRight ? kept : nil)
                }
            }
            if cache.isPlain { find() } else { self.post(.job(find)) }
        }
    }

    private func offer(_ kept: [OfferedResponse], _ id: QuestionID, to task: URLSessionTask) {
        // Let go outside of the lock: an open file is closed with it. A task that is over takes nothing any more.
        var offered = kept
        task.shared.withLock { if !$0.isDecided { swap(&$0.offered, &offered) } }
        submit(.answer(id, .kept(kept.map(\.record))))
    }

    /// On the engine's thread.
    func beginKept(_ index: Int, _ request: ClientRequest, of load: LoadID, for task: URLSessionTask) {
        let inlet = inlet(of: load, for: TaskID(task.identifier))
        let kept = task.shared.withLock { $0.offered.indices.contains(index) ? $0.offered[index] : nil }
        guard let kept, let cache = task.session?.cache else { return inlet.say(.declined) }
        let loading = Loading(inlet)
        task.shared.withLock { $0.loading = loading }
        loading.begin {
            switch kept {
            case .whole(let kept, _): KeptLoader(kept, for: request, inlet: inlet)
            case .onDisk(let found, let version):
                KeptFileLoader(
                    found, version: version, for: request, of: cache, in: world, executor: world.makeBodyExecutor(),
                    inlet: inlet)
            }
        }
    }

    // MARK: - What may be kept

    /// On the engine's thread.
    func perform(_ action: CacheAction, for task: URLSessionTask) {
        guard let cache = task.session?.cache else { return }
        switch (action, task as? URLSessionDataTask) {
        case (.forget(let keys), _): forget(keys + task.canonicalKeys, cache)
        // What a subclass keeps, and since when, nobody knows.
        case (.outdate(let newer), _): if cache.isPlain { cache.outdate(by: newer) }
        case (_, nil): break
        case (.collect(let kept, let isAsked), let task?):
            // What a subclass keeps nobody knows, nor where.
            let isWhole = isAsked || !cache.isPlain
            task.shared.withLock { state in
                state.collected = CollectedResponse(
                    kept, from: state.currentRequest?.url, isAsked: isWhole, cache.limits)
            }
        case (.keep, let task?): keepCollected(by: task, cache)
        case (.drop, let task?): dropCollected(by: task)
        case (.freshen(let index, let record, let key), let task?): freshen(index, record, key, cache, task)
        }
    }

    /// Pieces of a body that is kept on disk. One that is too much for now is never whole there.
    func write(_ changes: [DiskChange], of task: URLSessionTask) {
        guard let cache = task.session?.cache, !cache.change(changes) else { return }
        cache.change(task.shared.withLock { $0.collected?.giveUpDisk() } ?? [])
    }

    private func takeCollected(by task: URLSessionTask) -> (CollectedResponse, URLResponse?)? {
        task.shared.withLock { state in
            defer { state.collected = nil }
            return state.collected.map { ($0, state.response) }
        }
    }

    private func dropCollected(by task: URLSessionTask) {
        guard var (collected, _) = takeCollected(by: task) else { return }
        task.session?.cache?.change(collected.giveUpDisk())
    }

    private func keepCollected(by task: URLSessionDataTask, _ cache: URLCache) {
        guard let (collected, response) = takeCollected(by: task) else { return }
        switch collected.outcome(response) {
        case .whole(let kept, let body): keep(kept, collected.record, collected, cache, task, body: body)
        case .onDisk(let body, let bytes): cache.replace(collected.kept, by: .finish(body, bytes: bytes), body: body)
        case .tooLarge: forgetFormer(of: collected.kept, cache)
        }
    }

    /// What has come is too large to be kept, and newer than what is.
    private func forgetFormer(of newer: KeepableResponse, _ cache: URLCache) {
        guard cache.isPlain else { return }
        cache.replace(newer, by: .forgetVariant(newer.response.variant, of: newer.key))
    }

    private func keep(
        _ kept: CachedURLResponse, _ record: StoredResponse, _ collected: CollectedResponse, _ cache: URLCache,
        _ task: URLSessionDataTask, body: StreamedBody? = nil
    ) {
        guard cache.isPlain else { return leave(kept, to: cache, task) }
        cache.keep(kept, record, for: collected.key, asked: collected.asked, body: body)
    }

    private func leave(_ kept: CachedURLResponse, to cache: URLCache, _ task: URLSessionDataTask) {
        leave(.job { cache.storeCachedResponse(kept, for: task) })
    }

    /// What was offered is offered in its new form, too.
    private func freshen(
        _ index: Int, _ record: StoredResponse, _ key: CacheKey, _ cache: URLCache, _ task: URLSessionDataTask
    ) {
        let offered = task.shared.withLock { state -> (former: OfferedResponse, new: OfferedResponse)? in
            guard state.offered.indices.contains(index) else { return nil }
            let former = state.offered[index], new = former.freshened(record, url: state.currentRequest?.url)
            state.offered[index] = new
            return (former, new)
        }
        switch offered?.new {
        case .whole(let kept, _):
            guard cache.isPlain else { return leave(kept, to: cache, task) }
            cache.keep(kept, record, for: key, in: offered?.former.record)
        case .onDisk(let found, _):
            if let former = offered?.former.record { cache.change([.freshen(former, found.head, for: key)]) }
        case nil: break
        }
    }

    private func forget(_ keys: [CacheKey], _ cache: URLCache) {
        if cache.isPlain { return cache.forget(keys) }
        leave(
            .job {
                for url in keys.compactMap({ URL(string: $0.text) }) {
                    cache.removeCachedResponse(for: URLRequest(url: url))
                }
            })
    }

    /// On the delegate queue.
    func askAboutCaching(_ id: QuestionID, _ task: URLSessionTask, _ session: URLSession) {
        let isOver: @Sendable () -> Void = { [link] in link.submit(.answer(id, .willCache)) }
        guard let dataTask = task as? URLSessionDataTask, let cache = session.cache,
            let (collected, response) = takeCollected(by: task)
        else { return isOver() }
        guard case .whole(let proposed, _) = collected.outcome(response) else {
            forgetFormer(of: collected.kept, cache)
            return isOver()
        }
        let question = WillCacheQuestion(session: session, dataTask: dataTask, proposed: proposed) { chosen in
            if let chosen {
                self.keep(chosen, collected.record.describing(chosen), collected, cache, dataTask)
            }
            isOver()
        }
        begin(question)
    }
}

extension OfferedResponse {
    fileprivate func freshened(_ record: StoredResponse, url: URL?) -> OfferedResponse {
        switch self {
        case .whole(let former, _):
            let kept = CachedURLResponse(
                record, response: record.response(from: url), data: former.data, userInfo: former.userInfo,
                storagePolicy: former.storagePolicy)
            return .whole(kept, record)
        case .onDisk(var found, let version):
            found.head.record = record
            return .onDisk(found, version: version)
        }
    }
}

extension StoredResponse {
    /// A delegate may have put in another head; it came when the answer came, and is of its variant.
    fileprivate func describing(_ chosen: CachedURLResponse) -> StoredResponse {
        guard chosen.record == nil, let response = chosen.response as? HTTPURLResponse,
            let fields = response.source.head?.fields.fields
        else { return self }
        var record = StoredResponse(
            status: response.statusCode, fields: fields, asked: asked, received: received, variant: variant)
        record.isProtected = isProtected
        return record
    }
}

extension URLSessionTask {
    /// A protocol class may have answered another URL than the machine has asked for (BEHAVIOUR 2.D8).
    fileprivate var canonicalKeys: [CacheKey] {
        guard plan?.usesCache == true, session?.protocolClasses.isEmpty == false, let request = currentRequest,
            let (key, _) = URLCache.parts(of: request)
        else { return [] }
        return [key]
    }

    /// What is known of the request's fields outside of the machine.
    fileprivate var sentFields: Fields {
        shared.withLock { $0.currentRequest?.values.fields } ?? Fields()
    }
}
#endif
