#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// What is kept, and what becomes of answers that may be. A cache of ours answers on the engine's thread; a subclass is
/// asked and told on the delegate queue, and its answer may come from any thread, at any time.
extension DelegateDispatcher {
    /// On the engine's thread. False: the cache is a subclass, and has to be asked.
    func findKept(_ key: CacheKey, _ id: QuestionID, of task: URLSessionTask) -> Bool {
        guard let cache = task.session?.cache, cache.isPlain else { return false }
        offer(cache.find(key), id, to: task)
        return true
    }

    /// On the delegate queue.
    func askForKept(_ id: QuestionID, _ task: URLSessionTask, _ session: URLSession) {
        guard let cache = session.cache, let dataTask = task as? URLSessionDataTask else {
            return offer([], id, to: task)
        }
        cache.getCachedResponse(for: dataTask) { self.offer($0.map { [$0] } ?? [], id, to: task) }
    }

    /// What is no answer of HTTP is not offered.
    private func offer(_ kept: [CachedURLResponse], _ id: QuestionID, to task: URLSessionTask) {
        let now = kept.isEmpty ? .distantPast : task.session?.cache?.now ?? .distantPast
        let known = kept.compactMap { kept -> (CachedURLResponse, StoredResponse)? in
            if let record = kept.record { return (kept, record) }
            return StoredResponse(kept, for: task.sentFields, at: now).map { (kept, $0) }
        }
        task.shared.withLock { $0.offered = known.map(\.0) }
        submit(.answer(id, .kept(known.map(\.1))))
    }

    /// On the engine's thread.
    func beginKept(_ index: Int, _ request: ClientRequest, of load: LoadID, for task: URLSessionTask) {
        let inlet = inlet(of: load, for: TaskID(task.identifier))
        let kept = task.shared.withLock { $0.offered.indices.contains(index) ? $0.offered[index] : nil }
        guard let kept else { return inlet.say(.declined) }
        let loading = Loading(inlet)
        task.shared.withLock { $0.loading = loading }
        loading.begin { KeptLoader(kept, for: request, inlet: inlet) }
    }

    /// On the engine's thread.
    func perform(_ action: CacheAction, for task: URLSessionDataTask) {
        guard let cache = task.session?.cache else { return }
        switch action {
        case .collect(let record, let key):
            let collected = CollectedResponse(record, for: key, mostBytes: cache.mostBodyBytes)
            task.shared.withLock { $0.collected = collected }
        case .keep:
            guard let (collected, kept) = takeCollected(of: task) else { return }
            keep(kept, collected.record, for: collected.key, cache, task)
        case .drop: task.shared.withLock { $0.collected = nil }
        case .freshen(let index, let record, let key):
            if let kept = freshen(index, record, of: task) { keep(kept, record, for: key, cache, task) }
        case .forget(let keys): forget(keys, cache)
        }
    }

    private func takeCollected(of task: URLSessionTask) -> (CollectedResponse, CachedURLResponse)? {
        let (collected, response, url) = task.shared.withLock { state in
            defer { state.collected = nil }
            return (state.collected, state.response, state.currentRequest?.url)
        }
        guard let collected, let kept = collected.response(response, from: url) else { return nil }
        return (collected, kept)
    }

    private func keep(
        _ kept: CachedURLResponse, _ record: StoredResponse, for key: CacheKey, _ cache: URLCache,
        _ task: URLSessionDataTask
    ) {
        if cache.isPlain { return cache.keep(kept, record, for: key) }
        leave(.job { cache.storeCachedResponse(kept, for: task) })
    }

    /// What was offered is offered in its new form, too.
    private func freshen(_ index: Int, _ record: StoredResponse, of task: URLSessionTask) -> CachedURLResponse? {
        task.shared.withLock { state in
            guard state.offered.indices.contains(index) else { return nil }
            let former = state.offered[index]
            let kept = CachedURLResponse(
                record, response: record.response(from: state.currentRequest?.url), data: former.data,
                userInfo: former.userInfo, storagePolicy: former.storagePolicy)
            state.offered[index] = kept
            return kept
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
            let (collected, proposed) = takeCollected(of: task)
        else { return isOver() }
        let question = WillCacheQuestion(session: session, dataTask: dataTask, proposed: proposed) { chosen in
            if let chosen {
                self.keep(chosen, collected.record.describing(chosen), for: collected.key, cache, dataTask)
            }
            isOver()
        }
        begin(question)
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
    /// What is known of the request's fields outside of the machine.
    fileprivate var sentFields: Fields {
        shared.withLock { $0.currentRequest?.values.fields } ?? Fields()
    }
}
#endif
