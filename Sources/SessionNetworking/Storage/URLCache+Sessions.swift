#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// What sessions do with a cache of ours, from the engine's thread.
extension URLCache {
    /// No subclass: nobody else has a say in what is kept.
    final var isPlain: Bool { type(of: self) == URLCache.self }

    final var now: Date { state.withLock { $0.clock }.date() }

    final var mayHaveSome: Bool { state.withLock { $0.hasSome } }

    final var limits: BodyLimits { state.withLock { $0.limits } }

    /// A session asks only while something is kept; of what a subclass keeps nobody knows.
    final func serve(_ session: EngineLink, in world: SessionWorld) {
        let mustWake = state.withLock { state in
            state.sessions.removeAll { !$0.isOpen }
            // Nothing is on its way, and the clock may be another one.
            if state.sessions.isEmpty { state.forgotten = ForgottenKeys() }
            state.sessions.append(session)
            state.clock = world.clock
            state.news.say(hasSome: !isPlain || state.hasSome)
            return state.news.hasSome && session.enqueue(.cacheSays(state.news))
        }
        if mustWake { session.wake() }
    }

    /// What is in memory: all variants, the newest first.
    final func find(_ key: CacheKey) -> [OfferedResponse] {
        inMemory(key).map { .whole($0.response, $0.record) }
    }

    /// The same, and a use of it, of which the disk hears as well.
    final func inMemory(_ key: CacheKey) -> [KeptResponses.Entry] {
        let (found, mustWrite) = state.withLock { state in
            let found = state.memory.find(key)
            return (found, !found.isEmpty && state.tellDiskOfUse(of: key))
        }
        if mustWrite { startWriting() }
        return found
    }

    /// Other processes are told of a use.
    final func tellDiskOfUse(of key: CacheKey) {
        if state.withLock({ $0.add([.use(key)]).mustWrite }) { startWriting() }
    }

    /// - Parameters:
    ///   - place: What it was until its server has confirmed it.
    ///   - asked: When its request set out; nil if the caller keeps it.
    ///   - body: Where its body is already: on its way to disk.
    final func keep(
        _ response: CachedURLResponse, _ record: StoredResponse, for key: CacheKey, in place: StoredResponse? = nil,
        asked: Instant? = nil, body: StreamedBody? = nil
    ) {
        guard response.storagePolicy != .notAllowed else { return }
        let response = response.record == record ? response : response.with(record)
        let onDisk: DiskChange
        if let body {
            onDisk = .finish(body, bytes: response.data.count)
        } else if let head = response.writableHead, response.data.count <= limits.onDisk {
            onDisk = place.map { .freshen($0, head, for: key) } ?? .keep(head, response.data, for: key)
        } else {
            onDisk = .forgetVariant(record.variant, of: key)
        }
        changeTogether { state in
            if let asked, state.isOutdated(record, of: key, asked: asked) { return .abandoning(body) }
            // What was forgotten while its server was asked stays so.
            if let place, !state.memory.has(place, for: key) { return [onDisk] }
            state.memory.keep(
                response, record, for: key, at: state.clock.date(), asked: asked, inPlaceOf: place?.variant)
            // If it is not in memory, what was asked for before would not be seen to be older.
            if let asked, !state.memory.has(record, for: key) { state.forgotten.forget(key, at: asked) }
            return [onDisk]
        }
    }

    /// What is in memory is out of date: what has come in its place is on disk alone, or nowhere.
    final func replace(_ newer: KeepableResponse, by onDisk: DiskChange, body: StreamedBody? = nil) {
        changeTogether { state in
            let (record, key) = (newer.response, newer.key)
            if let asked = newer.asked, state.isOutdated(record, of: key, asked: asked) { return .abandoning(body) }
            state.memory.remove(key) { $0.record.variant == record.variant }
            if let asked = newer.asked { state.forgotten.forget(key, at: asked) }
            return [onDisk]
        }
    }

    /// Answers that are on their way, and were asked for before, are not kept either.
    final func outdate(by newer: OutdatingAnswer) {
        change { state in
            state.memory.remove(newer.key) { newer.outdates($0.record, asked: $0.asked) }
            state.forgotten.outdate(by: newer)
        }
        // From here on nothing older gets there. Most of what may not be kept never was.
        if mayBeOnDisk(newer.key) { change([.outdate(newer)]) }
    }

    final func forget(_ keys: [CacheKey]) {
        change(keys.map { .forget($0) }) { state in
            for key in keys {
                state.memory.remove(key)
                state.forgotten.forget(key, at: state.clock.instant())
            }
        }
    }

    /// Does something to what is in memory, and leaves to the writer what is to be done on disk. Sessions are told
    /// under the lock, so that they hear of changes in their order.
    ///
    /// - Returns: Whether there was room for all that is to be done on disk.
    @discardableResult
    final func change(_ onDisk: [DiskChange] = [], _ inMemory: (inout CacheState) -> Void = { _ in }) -> Bool {
        changeTogether { state in
            inMemory(&state)
            return onDisk
        }
    }

    /// - Parameter change: Returns what is to be done on disk.
    @discardableResult
    final func changeTogether(_ change: (inout CacheState) -> [DiskChange]) -> Bool {
        let (outcome, toWake, released) = state.withLock { state in
            let outcome = state.add(change(&state))
            return (outcome, isPlain ? state.tellSessions() : [], state.memory.takeReleased())
        }
        for session in toWake { session.wake() }
        if outcome.mustWrite { startWriting() }
        _ = released
        return outcome.fits
    }
}

extension CacheState {
    /// Whether an answer is not the newest any more: what was kept of its key was forgotten since it was asked for, or
    /// a newer one was kept (BEHAVIOUR 2.D6, 2.D3-newest).
    fileprivate func isOutdated(_ record: StoredResponse, of key: CacheKey, asked: Instant) -> Bool {
        forgotten.wasForgotten(record, of: key, since: asked) || memory.hasNewer(than: record, for: key)
    }

    /// Those who have to be woken.
    mutating func tellSessions() -> [EngineLink] {
        guard news.hasSome != hasSome else { return [] }
        news.say(hasSome: hasSome)
        return sessions.filter { $0.enqueue(.cacheSays(news)) }
    }

    /// Whether the writer has to be called.
    fileprivate mutating func tellDiskOfUse(of key: CacheKey) -> Bool {
        guard disk != nil, memory.mustTellOfUse(of: key, at: clock.date()) else { return false }
        return add([.use(key)]).mustWrite
    }

    fileprivate mutating func add(_ changes: [DiskChange]) -> (mustWrite: Bool, fits: Bool) {
        guard let disk, !changes.isEmpty else { return (false, true) }
        var fits = true
        for change in changes {
            // Nothing is there that would have to be forgotten instead.
            if case .keep(_, _, let key) = change, !unmade.hasRoom(for: change), !unmade.concern(key),
                !disk.folder.mayHave(key.text)
            {
                fits = false
            } else {
                fits = unmade.add(change) && fits
            }
        }
        return (unmade.mustSchedule(), fits)
    }
}

extension [DiskChange] {
    fileprivate static func abandoning(_ body: StreamedBody?) -> [DiskChange] { body.map { [.abandon($0)] } ?? [] }
}

extension CachedURLResponse {
    final func with(_ record: StoredResponse) -> CachedURLResponse {
        CachedURLResponse(
            record, response: response, data: data, userInfo: userInfo, storagePolicy: storagePolicy)
    }

    /// What is known of a session's answer; nil if it was no answer to a request with these fields.
    final func record(for fields: Fields) -> StoredResponse? {
        record.flatMap { $0.variant.mayMatch(fields) ? $0 : nil }
    }

    /// Nil for what is kept in memory only (BEHAVIOUR 2.D7-secret).
    fileprivate final var writableHead: KeptHead? {
        guard storagePolicy == .allowed, userInfo == nil, let record else { return nil }
        return KeptHead(writing: record, url: response.url)
    }
}

extension KeptHead {
    /// Nil for what is kept in memory only (BEHAVIOUR 2.D7-secret).
    init?(writing record: StoredResponse, url: URL?) {
        guard !record.variant.isSecret, let url else { return nil }
        self.init(record, url: url.withoutUser.absoluteString)
    }
}

extension URL {
    fileprivate var withoutUser: URL {
        guard user != nil || password != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return self
        }
        (parts.user, parts.password) = (nil, nil)
        return parts.url ?? self
    }
}

extension StoredResponse {
    /// What is known of an answer that no session has received; nil if it is none of HTTP, or varies by what cannot be
    /// known. It is taken to have come when its Date says.
    init?(_ cached: CachedURLResponse, for sent: Fields, at now: Date) {
        guard let response = cached.response as? HTTPURLResponse, let fields = response.source.head?.fields.fields,
            let variant = Variant(of: fields, to: sent)
        else { return nil }
        let now = UnixTime(now)
        let date = fields.first("Date").flatMap { HTTPDate.parse($0, now: now) }.map { min($0, now) } ?? now
        self.init(status: response.statusCode, fields: fields, asked: date, received: date, variant: variant)
    }
}
#endif
