#if !canImport(Darwin)
import CacheFiles
import ClientMachines
import Foundation
import HTTPBasics
import Locks

/// Keeps answers to GET requests, so that a session need not load them again (RFC 9111), in memory and on disk.
///
/// An answer is found by the whole URL but its fragment, and by the request's fields that its Vary names: several
/// variants of a URL live side by side. When a capacity is used up, what was not used for the longest time goes first.
/// May be used from any thread, by any number of sessions, and its directory by any number of caches and programs.
///
/// What is kept is in memory at once and on disk a little later; `URLSession.flush(completionHandler:)` and the end of
/// the program wait for that. Sessions never wait for a disk: one that needs more than a quarter of a second is passed
/// over. The methods here that look for an answer, and `currentDiskUsage`, may wait for it. The directory and its files
/// are for the user alone. An answer that carries `userInfo`, and one that varies by a field with a secret, is kept in
/// memory only.
///
/// A cache is one user's own: what is answered behind a login is kept, and is found for the same URL whoever asks,
/// unless the answer varies by `Authorization` (BEHAVIOUR 2.D4-authorization). A program that acts for several users
/// gives each a session with a cache of its own, or with none.
///
/// A subclass is asked and told by the methods that take a task, on the session's delegate queue.
open class URLCache: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: all state is behind the lock.
    final let state: Lock<CacheState>

    private static let usualMemoryCapacity = 4 << 20
    private static let usualDiskCapacity = 20 << 20

    private static let common = Lock(
        URLCache(memoryCapacity: usualMemoryCapacity, diskCapacity: usualDiskCapacity, directory: nil))

    /// The cache of all sessions whose configuration names no other: of default ones, not of ephemeral ones. It has
    /// 4 MiB of memory and 20 MiB of the disk. One that is set is used by configurations that are made from then on.
    open class var shared: URLCache {
        get { common.withLock { $0 } }
        set { common.withLock { $0 = newValue } }
    }

    /// An empty cache in memory, of 4 MiB.
    public override init() {
        state = Lock(CacheState(memoryCapacity: Self.usualMemoryCapacity, diskCapacity: 0, place: Self.usualPlace))
        super.init()
    }

    /// A cache with what an earlier one has left in the directory.
    ///
    /// - Parameters:
    ///   - memoryCapacity: In bytes; 0 keeps nothing in memory.
    ///   - diskCapacity: In bytes; 0 keeps nothing on disk.
    ///   - directory: Made when it is needed. Nil: `understudy/<program>` in `$XDG_CACHE_HOME`, else in `~/.cache`.
    ///     Where it cannot be made or is not the user's, nothing is kept on disk.
    public init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {
        state = Lock(
            CacheState(
                memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, place: directory?.path ?? Self.usualPlace))
        super.init()
        openDisk()
    }

    /// The same, with the directory's path; a relative one is seen from the directory of the other initializer.
    public init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {
        state = Lock(
            CacheState(
                memoryCapacity: memoryCapacity, diskCapacity: diskCapacity,
                place: path.flatMap { Self.place(of: $0) } ?? Self.usualPlace))
        super.init()
        openDisk()
    }

    // MARK: - How much

    /// In bytes; what is too much goes at once when it is lowered. An answer whose body takes more than a fifth of it
    /// is not kept there.
    open var memoryCapacity: Int {
        get { state.withLock { $0.memory.capacity } }
        set { change { $0.memory.capacity = max(0, newValue) } }
    }

    /// The same of the disk. What is too much is removed before the setter returns; 0 removes all.
    open var diskCapacity: Int {
        get { state.withLock { $0.diskCapacity } }
        set {
            state.withLock { $0.diskCapacity = max(0, newValue) }
            openDisk()
        }
    }

    /// In bytes: bodies, fields, and what it takes to find them.
    open var currentMemoryUsage: Int { state.withLock { $0.memory.usage } }

    /// The same of the disk, in whole pages of 4 KiB. Other programs may use the directory, too: what they store is
    /// noticed late. Waits for what is to be written, and until the directory was listed.
    open var currentDiskUsage: Int {
        waitUntilWritten()
        guard let folder = state.withLock({ $0.disk })?.folder else { return 0 }
        folder.waitUntilReady()
        return folder.usage
    }

    // MARK: - By request

    /// The answer that is kept for a request, however old; nil without one. Of several variants it is the newest whose
    /// Vary names nothing that the request has otherwise. Nil for all methods but GET and HEAD. May wait for the disk.
    open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        guard let (key, fields) = Self.parts(toFind: request) else { return nil }
        if let inMemory = findInMemory(key, fields) { return inMemory }
        guard mayBeOnDisk(key) else { return nil }
        waitUntilWritten()
        return findOnDisk(key, fields)
    }

    /// Keeps an answer to a GET request, in place of the one of the same variant. What its storage policy forbids, what
    /// does not fit, and an answer whose Vary is `*` is not kept; nor is one to another method.
    open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        guard let (key, fields) = Self.parts(of: request), (request.httpMethod ?? "GET") == "GET",
            let record = cachedResponse.record(for: fields) ?? StoredResponse(cachedResponse, for: fields, at: now)
        else { return }
        keep(cachedResponse, record, for: key)
    }

    /// Removes what is kept for the request's URL, in all variants.
    open func removeCachedResponse(for request: URLRequest) {
        guard let (key, _) = Self.parts(of: request) else { return }
        forget([key])
    }

    /// Removes all.
    open func removeAllCachedResponses() {
        change([.forgetAll]) { state in
            state.memory.remove { _ in true }
            state.forgotten.forgetAll(at: state.clock.instant())
        }
    }

    /// Removes what was kept at a date or after it. On disk it is known to the second: all of the date's second goes.
    open func removeCachedResponses(since date: Date) {
        change([.forgetSince(UnixTime(date))]) { state in
            state.memory.remove { $0.date >= date }
            state.forgotten.forgetAll(at: state.clock.instant())
        }
    }

    // MARK: - By task: what a session calls

    /// Hands over the answer that is kept for a task's present request; nil without one. The session goes by RFC 9111
    /// then: what is handed over need not become the task's response. The handler is called once, from any thread: from
    /// within this call unless the disk has to be read, for which it waits a quarter of a second.
    open func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        guard let request = dataTask.currentRequest, let (key, fields) = Self.parts(toFind: request) else {
            return completionHandler(nil)
        }
        if let inMemory = findInMemory(key, fields) { return completionHandler(inMemory) }
        guard mayBeOnDisk(key) else { return completionHandler(nil) }
        findOnDisk(key, fields, completionHandler)
    }

    /// Keeps an answer to a task's present request; an answer of a session's under the URL that it came from, since
    /// the task may have followed a redirect meanwhile.
    open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
        guard var request = dataTask.currentRequest else { return }
        if cachedResponse.record != nil, let url = cachedResponse.response.url,
            Self.parts(of: URLRequest(url: url))?.0 != Self.parts(of: request)?.0
        {
            request.url = url
        }
        storeCachedResponse(cachedResponse, for: request)
    }

    /// Removes what is kept for a task's present request.
    open func removeCachedResponse(for dataTask: URLSessionDataTask) {
        guard let request = dataTask.currentRequest else { return }
        removeCachedResponse(for: request)
    }

    private func findInMemory(_ key: CacheKey, _ fields: Fields) -> CachedURLResponse? {
        let found = inMemory(key)
        let best = found.first { $0.record.variant.matches(fields) }
        return (best ?? found.first { $0.record.variant.mayMatch(fields) })?.response
    }

    private static func parts(toFind request: URLRequest) -> (CacheKey, Fields)? {
        ["GET", "HEAD"].contains(request.httpMethod ?? "GET") ? parts(of: request) : nil
    }

    static func parts(of request: URLRequest) -> (CacheKey, Fields)? {
        guard let url = (request.url?.absoluteString).flatMap({ URLReference($0) }), let key = CacheKey(url) else {
            return nil
        }
        return (key, request.values.fields ?? Fields())
    }
}
#endif
