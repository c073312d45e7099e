#if !canImport(Darwin)
import ClientMachines
import Foundation
import Locks

extension NSNotification.Name {
    /// Posted by a `URLCredentialStorage` when what it keeps has changed, on the thread that has changed it; the object
    /// is the storage.
    public static let NSURLCredentialStorageChanged = NSNotification.Name(rawValue: "NSURLCredentialStorageChanged")
}

/// An option of `URLCredentialStorage.remove(_:for:options:)`: an `NSNumber`, whether a credential goes that is shared
/// with the user's other machines.
public let NSURLCredentialStorageRemoveSynchronizableCredentials =
    "NSURLCredentialStorageRemoveSynchronizableCredentials"

/// Keeps credentials by the spaces that they open, one for each user name.
///
/// A session looks here when a server asks, before it asks a delegate: the space's default credential is what the
/// challenge proposes, and what default handling uses. What a delegate or a URL gave, and what let the request in, is
/// kept as the default from then on, unless its persistence is `none`.
///
/// `shared` keeps permanent credentials for ever: in the desktop's Secret Service where there is one, that is, where
/// `DBUS_SESSION_BUS_ADDRESS` names a bus, libsecret is installed, and the default collection is not locked (nobody is
/// asked to unlock it). Otherwise in the file `understudy/<program>/credentials.json` of `$XDG_DATA_HOME`, else of
/// `~/.local/share`, whose next change moves them into a service that is there by then. Once they are in the service
/// the file says only that they are there: without it, they are not there, and what is changed waits in memory until
/// it answers. Who removes the secret there has removed the credentials; a file that has some beside a secret, as
/// after its return from a backup, adds those that the secret does not know. No thread of a caller waits longer than
/// 0.3 s for it.
///
/// The file is readable for the user alone, as plain text, replaced as a whole by each change, and shared by all
/// processes of programs with this name. It is written a little later, on a thread of its own;
/// `URLSession.flush(completionHandler:)` waits for that. A file that is damaged is renamed to
/// `credentials.json.damaged`, and gets what this process had; one that cannot be read for now, or is another user's,
/// is left alone and tried later; one that was removed has removed its credentials. Of more than 1,000 credentials the
/// oldest are forgotten, and one of more than 64 KiB is kept in memory.
///
/// Everything else is kept in memory, for the life of the process. `synchronizable` is as `permanent`: nothing reaches
/// other machines. (Apple keeps both in the keychain. FoundationNetworking keeps everything in memory and
/// synchronizable ones not at all, and never finds a credential for a server's own space.)
///
/// May be used from any thread; the file may be read then. A subclass is asked on the session's delegate queue.
open class URLCredentialStorage: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: all state is behind locks.
    private final let kept = Lock(KeptCredentials())
    /// They hear of what is kept no more.
    private final let sessions = Lock<[EngineLink]>([])

    /// Where permanent credentials are kept; nil: as long as the others.
    private final let file: CredentialFile?

    private static let ofThisProcess: URLCredentialStorage = {
        guard let directory = PrivateFile.directory() else { return URLCredentialStorage() }
        let program = String(directory.split(separator: "/").last ?? "")
        let storage = URLCredentialStorage(file: directory + "/credentials.json", inServiceAs: program)
        // What was kept last is to be there when the program runs again.
        atexit { URLCredentialStorage.ofThisProcess.file?.finish(within: 2) }
        return storage
    }()

    /// The storage of all sessions whose configuration names no other: of default ones, not of ephemeral ones. Keeps
    /// permanent credentials in a file of the user's program.
    open class var shared: URLCredentialStorage { ofThisProcess }

    /// A new storage, without credentials, which keeps all of them in memory.
    public override init() {
        file = nil
        super.init()
    }

    /// One with the permanent credentials of a file, and those of its own.
    ///
    /// - Parameter program: Under which name they are in the Secret Service, if there is one; nil: in the file.
    package convenience init(file path: String, writesAtOnce: Bool = false, inServiceAs program: String? = nil) {
        self.init(
            CredentialFile(path: path, writing: writesAtOnce ? .atOnce : .later) {
                program.flatMap { SecretService(program: $0, file: path) }
            })
    }

    init(_ file: CredentialFile) {
        self.file = file
        super.init()
    }

    /// The credentials of a space by their users; nil if there are none.
    open func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        refresh()
        let key = CredentialSpace(space)
        return kept.withLock { $0.spaces[key]?.entries.mapValues(\.object) }
    }

    /// All credentials, by space and user.
    open var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
        refresh()
        let spaces = kept.withLock { Array($0.spaces.values) }
        return Dictionary(
            spaces.map { ($0.space, $0.entries.mapValues(\.object)) }, uniquingKeysWith: { one, _ in one })
    }

    /// Keeps a credential; it takes the place of another one of the same user.
    ///
    /// One without a user name, and one whose persistence is `none`, is not kept.
    open func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        keep(credential, for: space, asDefault: false)
    }

    /// Removes a credential, unless it is synchronizable.
    open func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
        remove(credential, for: space, options: nil)
    }

    /// Removes a credential: one of the same user with the same password. It goes along unasked with no further request
    /// of the sessions that look here.
    ///
    /// - Parameter options: `NSURLCredentialStorageRemoveSynchronizableCredentials`, without which a synchronizable
    ///   credential stays.
    open func remove(_ credential: URLCredential, for space: URLProtectionSpace, options: [String: AnyObject]? = [:]) {
        let option = options?[NSURLCredentialStorageRemoveSynchronizableCredentials] as? NSNumber
        let key = CredentialSpace(space), evenSynchronizable = option?.boolValue ?? false
        guard let entry = KeptCredentials.Entry(removable: credential) else { return }
        refresh()
        if let file, let known = kept.withLock({ $0.known(entry.user, of: key) }), known.entry.isPermanent,
            known.entry.password == entry.password, known.entry.persistence != .synchronizable || evenSynchronizable
        {
            file.change(.remove(CredentialRecord(entry, in: key, isDefault: false), anyPassword: false))
        }
        changed(kept.withLock { $0.remove(entry, of: key, evenSynchronizable: evenSynchronizable) }, key)
    }

    /// The credential that was set as the default for a space; nil if none was.
    open func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        refresh()
        let key = CredentialSpace(space)
        return kept.withLock { $0.defaultCredential(of: key) }
    }

    /// Keeps a credential as `set` does, as the default one of its space.
    open func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        keep(credential, for: space, asDefault: true)
    }

    // MARK: - On behalf of a task

    /// Hands over the credentials of a space; at once and on the caller's thread, unless a subclass does otherwise.
    open func getCredentials(
        for protectionSpace: URLProtectionSpace, task: URLSessionTask,
        completionHandler: @escaping @Sendable ([String: URLCredential]?) -> Void
    ) {
        completionHandler(credentials(for: protectionSpace))
    }

    /// Keeps a credential that a task has.
    open func set(_ credential: URLCredential, for protectionSpace: URLProtectionSpace, task: URLSessionTask) {
        set(credential, for: protectionSpace)
    }

    /// Removes a credential that a task has.
    open func remove(
        _ credential: URLCredential, for protectionSpace: URLProtectionSpace, options: [String: AnyObject]? = [:],
        task: URLSessionTask
    ) {
        remove(credential, for: protectionSpace, options: options)
    }

    /// Hands over the default credential of a space: what a session calls when a server asks.
    open func getDefaultCredential(
        for space: URLProtectionSpace, task: URLSessionTask,
        completionHandler: @escaping @Sendable (URLCredential?) -> Void
    ) {
        completionHandler(defaultCredential(for: space))
    }

    /// Keeps a credential as the default one: what a session calls when one has let a request in.
    open func setDefaultCredential(
        _ credential: URLCredential, for protectionSpace: URLProtectionSpace, task: URLSessionTask
    ) {
        setDefaultCredential(credential, for: protectionSpace)
    }

    // MARK: -

    private func keep(_ credential: URLCredential, for space: URLProtectionSpace, asDefault: Bool) {
        let key = CredentialSpace(space)
        guard let entry = KeptCredentials.Entry(credential) else { return }
        refresh()
        let known = kept.withLock { $0.known(entry.user, of: key) }
        if let file, !(known.map { $0.entry.says(entry) && ($0.isDefault || !asDefault) } ?? false) {
            let record = CredentialRecord(entry, in: key, isDefault: asDefault)
            if entry.isPermanent {
                file.change(.keep(record))
            } else if known?.entry.isPermanent ?? false {
                file.change(.remove(record, anyPassword: true))
            }
        }
        changed(kept.withLock { $0.keep(entry, in: space, key, asDefault: asDefault) }, key)
    }

    /// Forgets everything, as the reset of a session does.
    final func removeAll() {
        refresh()
        if let file, kept.withLock({ $0.hasPermanent }) || file.exists { file.change(.removeAll) }
        changed(kept.withLock { $0.removeAll() }, nil)
    }

    /// Calls back, from whatever thread, when what was changed before is on the disk, or cannot be brought there.
    package final func whenWritten(_ body: @escaping @Sendable () -> Void) {
        if let file { file.whenWritten(body) } else { body() }
    }

    /// Takes over what other processes have written since the last look. What this one has changed goes into the file's
    /// edits first, so that none of it is missing from what is read.
    private func refresh() {
        guard let file else { return }
        var isAgain = false
        while true {
            let revision = kept.withLock { $0.revision }
            guard let records = file.changedRecords(evenIfSame: isAgain) else { return }
            if kept.withLock({ $0.replacePermanent(by: records, at: revision) }) { return }
            isAgain = true
        }
    }

    /// Changes with each `removeAll`.
    final var generation: Int { kept.withLock { $0.generation } }

    private func changed(_ change: KeptCredentials.Outcome, _ key: CredentialSpace?) {
        guard change.isOne else { return }
        if let former = change.former, let password = former.password, let origin = key?.origin {
            let credential = Credential(user: former.user, password: password)
            let forgotten = ForgottenCredential(
                credential, origin: origin, isOfProxy: key?.isOfProxy ?? false, realm: key?.realm ?? "")
            // It goes along unasked no more.
            for session in sessions.withLock({ $0 }) { session.submit(.forgetCredential(forgotten)) }
        }
        NotificationCenter.default.post(name: .NSURLCredentialStorageChanged, object: self)
    }

    /// The session hears from now on of what is kept no more.
    final func serve(_ session: EngineLink) {
        sessions.withLock { sessions in
            sessions.removeAll { !$0.isOpen }
            sessions.append(session)
        }
    }
}
#endif
