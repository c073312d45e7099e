#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import Locks

/// Keeps answers to GET requests, so that a session need not load them again (RFC 9111).
///
/// An answer is found by the whole URL but its fragment, and by the request's fields that its Vary names: several
/// variants of a URL live side by side. When the capacity is used up, what was not used for the longest time goes
/// first. May be used from any thread, by any number of sessions.
///
/// A subclass is asked and told by the methods that take a task, on the session's delegate queue.
open class URLCache: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: all state is behind the lock.
    private final let state: Lock<State>

    private struct State {
        var memory: KeptResponses
        /// Of the world of the session that uses it.
        var date: @Sendable () -> Date = { Date() }
        /// They are told when something is kept.
        var sessions: [EngineLink] = []
    }

    private static let usualMemoryCapacity = 4 << 20

    private static let common = Lock(URLCache())

    /// The cache of all sessions whose configuration names no other: of default ones, not of ephemeral ones. One that
    /// is set is used by configurations that are made from then on.
    open class var shared: URLCache {
        get { common.withLock { $0 } }
        set { common.withLock { $0 = newValue } }
    }

    /// An empty cache in memory, of 4 MiB.
    public override init() {
        state = Lock(State(memory: KeptResponses(capacity: Self.usualMemoryCapacity)))
        super.init()
    }

    // MARK: - How much

    /// In bytes; what is too much goes at once when it is lowered. An answer whose body takes more than a fifth of it
    /// is not kept there.
    open var memoryCapacity: Int {
        get { state.withLock { $0.memory.capacity } }
        set { change { $0.memory.capacity = max(0, newValue) } }
    }

    /// In bytes: bodies, fields, and what it takes to find them.
    open var currentMemoryUsage: Int { state.withLock { $0.memory.usage } }

    // MARK: - By request

    /// The answer that is kept for a request, however old; nil without one. Of several variants it is the newest whose
    /// Vary names nothing that the request has otherwise. Nil for all methods but GET and HEAD.
    open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        guard let (key, fields) = Self.parts(of: request), ["GET", "HEAD"].contains(request.httpMethod ?? "GET") else {
            return nil
        }
        return state.withLock { $0.memory.find(key) }.first { $0.record.variant.mayMatch(fields) }?.response
    }

    /// Keeps an answer to a GET request, in place of the one of the same variant. What its storage policy forbids, what
    /// does not fit, and an answer whose Vary is `*` is not kept; nor is one to another method.
    open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        guard let (key, fields) = Self.parts(of: request), (request.httpMethod ?? "GET") == "GET",
            let record = cachedResponse.record ?? StoredResponse(cachedResponse, for: fields, at: now)
        else { return }
        keep(cachedResponse, record, for: key)
    }

    /// Removes what is kept for the request's URL, in all variants.
    open func removeCachedResponse(for request: URLRequest) {
        guard let (key, _) = Self.parts(of: request) else { return }
        forget([key])
    }

    /// Removes all.
    open func removeAllCachedResponses() { change { $0.memory.remove { _ in true } } }

    /// Removes what was kept at a date or after it.
    open func removeCachedResponses(since date: Date) { change { $0.memory.remove { $0.date >= date } } }

    // MARK: - By task: what a session calls

    /// Hands over the answer that is kept for a task's present request; nil without one. The session goes by RFC 9111
    /// then: what is handed over need not become the task's response. The handler may be called from any thread, once.
    open func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.currentRequest.flatMap { cachedResponse(for: $0) })
    }

    /// Keeps an answer to a task's present request.
    open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
        guard let request = dataTask.currentRequest else { return }
        storeCachedResponse(cachedResponse, for: request)
    }

    /// Removes what is kept for a task's present request.
    open func removeCachedResponse(for dataTask: URLSessionDataTask) {
        guard let request = dataTask.currentRequest else { return }
        removeCachedResponse(for: request)
    }

    // MARK: - For sessions

    /// No subclass: nobody else has a say in what is kept.
    final var isPlain: Bool { type(of: self) == URLCache.self }

    final var now: Date { state.withLock { $0.date }() }

    /// How many bytes of a body are worth collecting.
    final var mostBodyBytes: Int { state.withLock { $0.memory.mostBodyBytes } }

    /// A session asks only while something is kept; of what a subclass keeps nobody knows.
    final func serve(_ session: EngineLink, in world: SessionWorld) {
        let mustWake = state.withLock { state in
            state.date = world.clock.date
            state.sessions.removeAll { !$0.isOpen }
            state.sessions.append(session)
            return (!isPlain || !state.memory.isEmpty) && session.enqueue(.cacheHasSome(true))
        }
        if mustWake { session.wake() }
    }

    /// All variants, the newest first.
    final func find(_ key: CacheKey) -> [CachedURLResponse] {
        state.withLock { $0.memory.find(key) }.map(\.response)
    }

    final func keep(_ response: CachedURLResponse, _ record: StoredResponse, for key: CacheKey) {
        guard response.storagePolicy != .notAllowed else { return }
        let response = response.record == record ? response : response.with(record)
        change { $0.memory.keep(response, record, for: key, at: $0.date()) }
    }

    final func forget(_ keys: [CacheKey]) {
        change { state in for key in keys { state.memory.remove(key) } }
    }

    /// Sessions are told under the lock, so that they hear of changes in their order.
    private final func change(_ change: (inout State) -> Void) {
        let (toWake, released) = state.withLock { state in
            let wasEmpty = state.memory.isEmpty
            change(&state)
            let released = state.memory.takeReleased()
            guard isPlain, wasEmpty != state.memory.isEmpty else { return ([EngineLink](), released) }
            return (state.sessions.filter { $0.enqueue(.cacheHasSome(wasEmpty)) }, released)
        }
        for session in toWake { session.wake() }
        _ = released
    }

    private static func parts(of request: URLRequest) -> (CacheKey, Fields)? {
        guard let url = (request.url?.absoluteString).flatMap({ URLReference($0) }), let key = CacheKey(url) else {
            return nil
        }
        return (key, request.values.fields ?? Fields())
    }
}

extension CachedURLResponse {
    final func with(_ record: StoredResponse) -> CachedURLResponse {
        CachedURLResponse(
            record, response: response, data: data, userInfo: userInfo, storagePolicy: storagePolicy)
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
