#if !canImport(Darwin)
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
/// Everything is kept in memory, for the life of the process: `permanent` and `synchronizable` are kept no longer than
/// `forSession`. (Apple keeps them in the keychain. FoundationNetworking does not keep synchronizable ones, and never
/// finds a credential for a server's own space.) May be used from any thread; a subclass is asked on the session's
/// delegate queue.
open class URLCredentialStorage: NSObject, @unchecked Sendable {
    // Safety of the unchecked conformance: all state is behind the lock.
    private final let spaces = Lock<[URLProtectionSpace: Space]>([:])

    private struct Space {
        var credentials: [String: URLCredential] = [:]
        var defaultUser: String?
    }

    private static let ofThisProcess = URLCredentialStorage()

    /// The storage of all sessions whose configuration names no other: of default ones, not of ephemeral ones.
    open class var shared: URLCredentialStorage { ofThisProcess }

    /// A new storage, without credentials.
    public override init() { super.init() }

    /// The credentials of a space by their users; nil if there are none.
    open func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        spaces.withLock { $0[space]?.credentials }
    }

    /// All credentials, by space and user.
    open var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
        spaces.withLock { $0.mapValues(\.credentials) }
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

    /// Removes a credential: one of the same user with the same password.
    ///
    /// - Parameter options: `NSURLCredentialStorageRemoveSynchronizableCredentials`, without which a synchronizable
    ///   credential stays.
    open func remove(_ credential: URLCredential, for space: URLProtectionSpace, options: [String: AnyObject]? = [:]) {
        let option = options?[NSURLCredentialStorageRemoveSynchronizableCredentials] as? NSNumber
        let hasChanged = spaces.withLock { spaces in
            guard let user = credential.user, let known = spaces[space]?.credentials[user],
                known.password == credential.password,
                known.persistence != .synchronizable || option?.boolValue ?? false
            else { return false }
            spaces[space]?.credentials[user] = nil
            if spaces[space]?.defaultUser == user { spaces[space]?.defaultUser = nil }
            if spaces[space]?.credentials.isEmpty ?? false { spaces[space] = nil }
            return true
        }
        if hasChanged { postChange() }
    }

    /// The credential that was set as the default for a space; nil if none was.
    open func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        spaces.withLock { $0[space].flatMap { kept in kept.defaultUser.flatMap { kept.credentials[$0] } } }
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
        guard let user = credential.user, credential.persistence != .none else { return }
        let hasChanged = spaces.withLock { spaces in
            var kept = spaces[space] ?? Space()
            let isNew = kept.credentials[user] != credential || asDefault && kept.defaultUser != user
            kept.credentials[user] = credential
            if asDefault { kept.defaultUser = user }
            spaces[space] = kept
            return isNew
        }
        if hasChanged { postChange() }
    }

    /// Forgets everything, as the reset of a session does.
    final func removeAll() {
        let hasChanged = spaces.withLock { spaces in
            defer { spaces = [:] }
            return !spaces.isEmpty
        }
        if hasChanged { postChange() }
    }

    private func postChange() {
        NotificationCenter.default.post(name: .NSURLCredentialStorageChanged, object: self)
    }
}
#endif
