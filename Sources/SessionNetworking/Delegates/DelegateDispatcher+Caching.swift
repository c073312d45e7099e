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
    func beginKept(_ index: Int, hasBody: Bool, of load: LoadID, for task: URLSessionTask) {
        let inlet = inlet(of: load, for: TaskID(task.identifier))
        let (kept, url) = task.shared.withLock { state in
            (state.offered.indices.contains(index) ? state.offered[index] : nil, state.currentRequest?.url)
        }
        guard let kept, let url = url.flatMap({ URLReference($0.absoluteString) }) else { return inlet.say(.declined) }
        let loading = Loading(inlet)
        task.shared.withLock { $0.loading = loading }
        loading.begin { KeptLoader(kept, hasBody: hasBody, for: url, inlet: inlet) }
    }

    /// On the engine's thread.
    func perform(_ action: CacheAction, for task: URLSessionDataTask) {
        guard let cache = task.session?.cache else { return }
        switch action {
        case .collect(let record): collect(record, for: task, cache)
        case .keep:
            guard let kept = takeCollected(of: task) else { return }
            keep(kept.response, kept.record, from: kept.url, cache, task)
        case .drop: task.shared.withLock { $0.collected = nil }
        case .freshen(let index, let record): freshen(index, record, of: task, cache)
        case .forget(let keys): forget(keys, cache)
        }
    }

    private func collect(_ record: StoredResponse, for task: URLSessionDataTask, _ cache: URLCache) {
        task.shared.withLock { state in
            guard let url = state.currentRequest?.url.flatMap({ URLReference($0.absoluteString) }) else { return }
            state.collected = CollectedResponse(record, from: url, mostBytes: cache.mostBodyBytes)
        }
    }

    private func takeCollected(
        of task: URLSessionTask
    ) -> (response: CachedURLResponse, record: StoredResponse, url: URLReference)? {
        let (collected, response) = task.shared.withLock { state in
            defer { state.collected = nil }
            return (state.collected, state.response)
        }
        guard let collected, let kept = collected.response(response) else { return nil }
        return (kept, collected.record, collected.url)
    }

    private func keep(
        _ kept: CachedURLResponse, _ record: StoredResponse, from url: URLReference, _ cache: URLCache,
        _ task: URLSessionDataTask
    ) {
        if !cache.isPlain { return leave(.job { cache.storeCachedResponse(kept, for: task) }) }
        if let key = CacheKey(url) { cache.keep(kept, record, for: key) }
    }

    /// What was offered is offered in its new form, too.
    private func freshen(_ index: Int, _ record: StoredResponse, of task: URLSessionDataTask, _ cache: URLCache) {
        let freshened = task.shared.withLock { state -> (CachedURLResponse, URLReference)? in
            guard state.offered.indices.contains(index),
                let url = state.currentRequest?.url.flatMap({ URLReference($0.absoluteString) })
            else { return nil }
            let former = state.offered[index]
            let kept = CachedURLResponse(
                record, response: record.response(from: url), data: former.data, userInfo: former.userInfo,
                storagePolicy: former.storagePolicy)
            state.offered[index] = kept
            return (kept, url)
        }
        if let (kept, url) = freshened { keep(kept, record, from: url, cache, task) }
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
            let (proposed, record, url) = takeCollected(of: task)
        else { return isOver() }
        let question = WillCacheQuestion(session: session, dataTask: dataTask, proposed: proposed) { chosen in
            if let chosen { self.keep(chosen, record.describing(chosen), from: url, cache, dataTask) }
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
        let fields = shared.withLock { $0.currentRequest?.allHTTPHeaderFields } ?? [:]
        return Fields(fields.map { Fields.Field($0.key, $0.value) })
    }
}
#endif
