#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics
import Locks

extension NSNotification.Name {
    /// Posted by an `HTTPCookieStorage` when its cookies have changed: on the thread that has changed them, for those
    /// of an answer on the session's delegate queue, for those of another process on a queue of its own. The object is
    /// the storage.
    public static let NSHTTPCookieManagerCookiesChanged = NSNotification.Name(
        rawValue: "NSHTTPCookieManagerCookiesChangedNotification")

    /// Posted by an `HTTPCookieStorage` when its policy has changed, on the thread that has changed it; the object is
    /// the storage.
    public static let NSHTTPCookieManagerAcceptPolicyChanged = NSNotification.Name(
        rawValue: "NSHTTPCookieManagerAcceptPolicyChangedNotification")
}

/// Keeps cookies, and finds those that go along with a request: by host, path, scheme and date (RFC 6265bis).
///
/// One made with `init()` is in memory only, as that of an ephemeral configuration is. `shared`, and those of groups,
/// keep what does not end with the session in a private file; see `shared`. At most 50 cookies of a domain and 3000 in
/// all are kept: what was not used for the longest time goes first.
///
/// May be used from any thread. A subclass is asked and told by `getCookiesFor(_:completionHandler:)` and
/// `storeCookies(_:for:)`, on the session's delegate queue.
open class HTTPCookieStorage: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: all state is behind the lock.
    private final let state: Lock<State>
    /// Nil for a storage in memory.
    private final let archive: CookieArchive?

    private struct State {
        var jar = CookieJar()
        /// What the file does not know yet.
        var unsaved: [Cookie.Mark: CookieArchive.CookieChange] = [:]
        var isSaveDue = false
        var policy = HTTPCookie.AcceptPolicy.always
        /// Of the world of the session that uses it; a storage with a file is in ours.
        var date: @Sendable () -> Date = { Date() }
        var suffixes: any PublicSuffixes = PublicSuffixLibrary.system
        /// They are told when there are cookies.
        var sessions: [EngineLink] = []
        /// What they were told last.
        var news = StorageNews()

        /// Under the lock, so that what is told last is what holds.
        mutating func tell(_ session: EngineLink, hasSome: Bool) -> Bool {
            news.say(hasSome: hasSome)
            return session.enqueue(.cookieStorageSays(news))
        }
    }

    private static let ofThisProcess = SharedCookieStorages.storage(ofGroup: nil)

    /// The storage of all sessions whose configuration names no other: of default ones, not of ephemeral ones.
    ///
    /// Cookies with a date of expiry are kept in `$XDG_DATA_HOME/understudy/<program>.cookies`, for which
    /// `~/.local/share` stands in, or in the directory that `UNDERSTUDY_COOKIE_DIRECTORY` names; if that is empty, in
    /// memory. The file is the user's alone, and written a tenth of a second after a change, by `URLSession.flush`,
    /// and when the program exits. Several processes of a program share it: what one of them has changed, others have
    /// once they write themselves. A file that is damaged gets `.damaged` behind its name; one that cannot be read for
    /// now, or is another user's, is left alone and tried later. `<program>` is the name of the process, so programs of
    /// the same name share their cookies; its characters other than letters, digits, `-` and `_` are written as `%2E`.
    open class var shared: HTTPCookieStorage { ofThisProcess }

    /// The storage of a group of programs: as `shared`, in `<identifier>.group.cookies`, with dots as `%2E`. Every call
    /// of a process with the same identifier gives the same object.
    open class func sharedCookieStorage(forGroupContainerIdentifier identifier: String) -> HTTPCookieStorage {
        SharedCookieStorages.storage(ofGroup: identifier)
    }

    /// A new storage in memory, without cookies.
    public override init() {
        archive = nil
        state = Lock(State())
        super.init()
    }

    /// A storage with a file; without one in memory.
    init(file: CookieFile?) {
        archive = file.map { CookieArchive($0) }
        var state = State()
        for entry in archive?.load() ?? [] { state.jar.merge(entry) }
        _ = state.jar.takeChanges()
        self.state = Lock(state)
        super.init()
        archive?.begin(self)
    }

    // MARK: - Cookies

    /// Which cookies `setCookie(_:)` and `setCookies(_:for:mainDocumentURL:)` keep; all. A session goes by the policy
    /// of its configuration.
    open var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { state.withLock { $0.policy } }
        set {
            let hasChanged = state.withLock { state in
                defer { state.policy = newValue }
                return state.policy != newValue
            }
            guard hasChanged else { return }
            NotificationCenter.default.post(name: .NSHTTPCookieManagerAcceptPolicyChanged, object: self)
        }
    }

    /// All cookies that have not expired, the oldest first; empty without any.
    open var cookies: [HTTPCookie]? {
        read { jar, now in
            jar.evictExpired(at: now)
            return jar.entries.map { HTTPCookie($0.cookie) }
        }
    }

    /// The cookies that go along with a request to a URL, in the order in which they are sent; empty without any.
    open func cookies(for url: URL) -> [HTTPCookie]? {
        guard let url = URLReference(url.absoluteString) else { return [] }
        return read { jar, now in jar.cookies(for: url, at: now).map { HTTPCookie($0) } }
    }

    /// The cookies in an order of the caller's.
    open func sortedCookies(using sortOrder: [NSSortDescriptor]) -> [HTTPCookie] {
        (cookies ?? []).sorted { one, other in
            for descriptor in sortOrder {
                switch descriptor.compare(one, to: other) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return false
        }
    }

    /// Keeps a cookie, in the place of one with the same name, domain and path. One that has expired removes that one.
    ///
    /// It is the program's word: whether some server might set such a cookie is not asked.
    open func setCookie(_ cookie: HTTPCookie) {
        let hasChanged = change { state, now in
            state.policy != .never && state.jar.set(cookie.cookie, at: now)
        }
        if hasChanged { postChange() }
    }

    /// Removes a cookie: the one with its name, domain and path.
    open func deleteCookie(_ cookie: HTTPCookie) {
        if change({ state, _ in state.jar.remove(cookie.cookie.key) }) { postChange() }
    }

    /// Removes the cookies that were set at a date or after it.
    open func removeCookies(since date: Date) {
        let limit = CookieTime(date)
        if change({ state, _ in state.jar.removeAll { $0.modified >= limit } }) { postChange() }
    }

    /// Keeps those of some cookies that an answer from a URL may set (RFC 6265bis 5.7), if the policy takes them.
    /// Without a URL, as `setCookie(_:)` does.
    open func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
        let policy = cookieAcceptPolicy
        guard let url else { return keep(cookies.map { ($0, nil) }) }
        guard let reference = URLReference(url.absoluteString), accepts(from: reference, for: mainDocumentURL, policy)
        else { return }
        keep(cookies.map { ($0, reference) })
    }

    // MARK: - On behalf of a task

    /// Keeps the cookies that a task has got: what a session calls. The policy of its configuration takes them already.
    ///
    /// Each is judged by the URL of the answer that brought it, however late this is called; one that the caller has
    /// made, by that of the task's current request.
    open func storeCookies(_ cookies: [HTTPCookie], for task: URLSessionTask) {
        let current = task.currentRequest?.url.flatMap { URLReference($0.absoluteString) }
        keep(cookies.map { ($0, $0.source ?? current) })
    }

    /// Hands over the cookies that go along with a task's request: what a session calls. At once and on the caller's
    /// thread, unless a subclass does otherwise; the task waits for the answer.
    open func getCookiesFor(_ task: URLSessionTask, completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void) {
        completionHandler(task.currentRequest?.url.flatMap { cookies(for: $0) })
    }

    /// How many cookies there are, never which.
    open override var description: String { "\(super.description) { \(cookies?.count ?? 0) cookies }" }

    // MARK: - For sessions

    /// Whether it does what this class does.
    final var isPlain: Bool { type(of: self) == HTTPCookieStorage.self }

    /// A session that an answer came to thinks that there are cookies. Under the lock, as `tell`.
    final func tellIfEmpty(_ session: EngineLink) {
        if state.withLock({ $0.jar.isEmpty && $0.tell(session, hasSome: false) }) { session.wake() }
    }

    /// A session asks only while it knows of cookies; of those of a subclass nobody knows.
    final func serve(_ session: EngineLink, in world: SessionWorld) {
        let mustWake = state.withLock { state in
            if archive == nil {
                state.date = world.clock.date
                state.suffixes = world.publicSuffixes
            }
            state.sessions.removeAll { !$0.isOpen }
            state.sessions.append(session)
            return (!isPlain || !state.jar.isEmpty) && state.tell(session, hasSome: true)
        }
        if mustWake { session.wake() }
    }

    /// The value of the Cookie field for a URL.
    final func field(for url: URLReference) -> String? { read { jar, now in jar.field(for: url, at: now) } }

    /// Keeps what an answer brings; true if that has changed anything.
    final func take(_ lines: [String], from url: URLReference) -> Bool {
        change { state, now in state.jar.take(lines, from: url, at: now, state.suffixes) }
    }

    final func cookies(in lines: [String], from url: URLReference) -> [HTTPCookie] {
        let now = CookieTime(state.withLock { $0.date }())
        return lines.compactMap { line in
            guard let line = SetCookie(line), line.keepsHostPromise else { return nil }
            return line.cookie(at: url, now).map { HTTPCookie($0, from: url) }
        }
    }

    /// Whether a policy takes cookies from a place for a document: without one, and of its own site, all
    /// (BEHAVIOUR 2.C2).
    final func accepts(from url: URLReference, for document: URL?, _ policy: HTTPCookie.AcceptPolicy) -> Bool {
        switch policy {
        case .always: return true
        case .never: return false
        case .onlyFromMainDocumentDomain:
            guard let document else { return true }
            guard let host = CookieDomain.host(of: url), let documentHost = document.host else { return false }
            let suffixes = state.withLock { $0.suffixes }
            return suffixes.site(of: host) == suffixes.site(of: ASCII.lowercased(documentHost))
        }
    }

    final func postChange() {
        NotificationCenter.default.post(name: .NSHTTPCookieManagerCookiesChanged, object: self)
    }

    // MARK: -

    /// Each from where it comes; from nowhere, it is the program's word.
    private func keep(_ cookies: [(cookie: HTTPCookie, source: URLReference?)]) {
        let hasChanged = change { state, now in
            var hasChanged = false
            for (cookie, source) in cookies {
                let isNew =
                    source.map { state.jar.take(cookie.cookie, from: $0, at: now, state.suffixes) }
                    ?? (state.policy != .never && state.jar.set(cookie.cookie, at: now))
                hasChanged = hasChanged || isNew
            }
            return hasChanged
        }
        if hasChanged { postChange() }
    }

    private func read<Result>(_ body: (inout CookieJar, CookieTime) -> Result) -> Result {
        let (result, listeners) = state.withLock { state in
            let wasEmpty = state.jar.isEmpty
            let result = body(&state.jar, CookieTime(state.date()))
            // The last one may have expired.
            return (result, tell(&state, wasEmpty: wasEmpty))
        }
        for listener in listeners { listener.wake() }
        return result
    }

    private func change(_ body: (inout State, CookieTime) -> Bool) -> Bool {
        let (hasChanged, listeners) = state.withLock { state in
            let wasEmpty = state.jar.isEmpty, now = CookieTime(state.date())
            let hasChanged = body(&state, now)
            noteChanges(&state, now)
            return (hasChanged, tell(&state, wasEmpty: wasEmpty))
        }
        for listener in listeners { listener.wake() }
        return hasChanged
    }

    /// - Returns: Those who have to be woken.
    private func tell(_ state: inout State, wasEmpty: Bool) -> [EngineLink] {
        let isEmpty = state.jar.isEmpty
        guard isEmpty != wasEmpty, isPlain else { return [] }
        var toWake: [EngineLink] = []
        for session in state.sessions where state.tell(session, hasSome: !isEmpty) { toWake.append(session) }
        return toWake
    }

    // MARK: - For the file

    private func noteChanges(_ state: inout State, _ now: CookieTime) {
        let changes = state.jar.takeChanges()
        guard let archive, !changes.isEmpty else { return }
        if !state.isSaveDue { archive.schedule(self) }
        state.isSaveDue = true
        for key in changes {
            let entry = state.jar.entry(key)
            state.unsaved[key] = CookieArchive.CookieChange(entry: entry, at: entry?.modified ?? now)
        }
    }

    /// Has what is kept on disk written there, and calls the handler when it is, or could not be; at once, for a
    /// storage in memory.
    final func flush(then handler: @escaping @Sendable () -> Void) {
        guard let archive else { return handler() }
        archive.flush(self, then: handler)
    }

    /// There is something that no save has taken yet.
    final var hasUnsaved: Bool { state.withLock { !$0.unsaved.isEmpty } }

    final func saveNow() { archive?.saveNow(self) }

    final func takeUnsaved() -> ([Cookie.Mark: CookieArchive.CookieChange], CookieTime) {
        state.withLock { state in
            defer { (state.unsaved, state.isSaveDue) = ([:], false) }
            return (state.unsaved, CookieTime(state.date()))
        }
    }

    /// What a file may have of these cookies.
    final var lastingEntries: [CookieJar.Entry] {
        state.withLock { state in state.jar.entries.filter { $0.cookie.expires != nil } }
    }

    /// They could not be written: they are tried again later.
    final func giveBack(_ changes: [Cookie.Mark: CookieArchive.CookieChange]) {
        state.withLock { state in state.unsaved.merge(changes) { newer, _ in newer } }
    }

    /// The file has these now: what other processes have changed is changed here. What is not unsaved is as it was when
    /// the file was merged, so that the file's word counts, whatever the clocks say.
    final func merge(_ entries: [CookieJar.Entry], base: [Cookie.Mark: CookieTime]) {
        let (hasChanged, listeners) = state.withLock { state in
            let wasEmpty = state.jar.isEmpty
            var gone = base
            for entry in entries {
                let key = entry.cookie.key
                gone[key] = nil
                guard state.unsaved[key] == nil else { continue }
                if let own = state.jar.entry(key), own.modified == entry.modified { continue }
                state.jar.merge(entry)
            }
            for (key, date) in gone where state.unsaved[key] == nil {
                if let own = state.jar.entry(key), own.modified == date, own.cookie.expires != nil {
                    _ = state.jar.remove(key)
                }
            }
            let changes = state.jar.takeChanges()
            return (!changes.isEmpty, tell(&state, wasEmpty: wasEmpty))
        }
        for listener in listeners { listener.wake() }
        // Not where files are written: an observer may take its time, or end the program.
        if hasChanged { Self.elsewhere.async { self.postChange() } }
    }

    private static let elsewhere = DispatchQueue(label: "understudy.cookies.changes", qos: .utility)
}
#endif
