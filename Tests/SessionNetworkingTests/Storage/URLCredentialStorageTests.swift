import Foundation
import Locks
import Testing

@testable import SessionNetworking

/// BEHAVIOUR 2.A12
@Suite struct URLCredentialStorageTests {
    private let storage = URLCredentialStorage()

    private static func space(_ realm: String = "vault") -> URLProtectionSpace {
        URLProtectionSpace(
            host: "h", port: 80, protocol: "http", realm: realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    }

    private static func credential(
        _ user: String, _ password: String = "s3cret", _ persistence: URLCredential.Persistence = .forSession
    ) -> URLCredential {
        URLCredential(user: user, password: password, persistence: persistence)
    }

    /// How often the storage says that it has changed.
    private func changes(while work: () -> Void) -> Int {
        let count = Lock(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSURLCredentialStorageChanged, object: storage, queue: nil
        ) { _ in count.withLock { $0 += 1 } }
        work()
        NotificationCenter.default.removeObserver(observer)
        return count.withLock { $0 }
    }

    @Test func `a space has one credential for each user`() {
        storage.set(Self.credential("ann", "old"), for: Self.space())
        storage.set(Self.credential("ann", "new"), for: Self.space())
        storage.set(Self.credential("bob"), for: Self.space())
        #expect(storage.credentials(for: Self.space())?.mapValues(\.password) == ["ann": "new", "bob": "s3cret"])
        #expect(storage.credentials(for: Self.space("other")) == nil)
        #expect(storage.allCredentials.keys.map(\.realm) == ["vault"])
    }

    @Test func `a default is one that was set as such, and goes with its credential`() {
        storage.set(Self.credential("ann"), for: Self.space())
        #expect(storage.defaultCredential(for: Self.space()) == nil)
        storage.setDefaultCredential(Self.credential("bob"), for: Self.space())
        #expect(storage.defaultCredential(for: Self.space())?.user == "bob")
        #expect(storage.credentials(for: Self.space())?.count == 2)
        storage.remove(Self.credential("bob"), for: Self.space())
        #expect(storage.defaultCredential(for: Self.space()) == nil)
        storage.remove(Self.credential("ann"), for: Self.space())
        #expect(storage.allCredentials.isEmpty)
    }

    @Test func `only the very credential is removed`() {
        storage.set(Self.credential("ann", "new"), for: Self.space())
        storage.remove(Self.credential("ann", "old"), for: Self.space())
        storage.remove(Self.credential("ann", "new"), for: Self.space("other"))
        #expect(storage.credentials(for: Self.space())?.count == 1)
    }

    @Test func `what has no persistence, or no user, is not kept`() {
        storage.set(Self.credential("ann", "s3cret", .none), for: Self.space())
        storage.setDefaultCredential(Self.credential("ann", "s3cret", .none), for: Self.space())
        #expect(storage.allCredentials.isEmpty)
    }

    @Test func `a synchronizable one goes with its option alone`() {
        let credential = Self.credential("ann", "s3cret", .synchronizable)
        storage.set(credential, for: Self.space())
        storage.remove(credential, for: Self.space())
        let key = NSURLCredentialStorageRemoveSynchronizableCredentials
        storage.remove(credential, for: Self.space(), options: [key: NSNumber(value: false)])
        #expect(storage.credentials(for: Self.space())?.count == 1)
        storage.remove(credential, for: Self.space(), options: [key: NSNumber(value: true)])
        #expect(storage.credentials(for: Self.space()) == nil)
    }

    @Test func `each change is posted once, and nothing else is`() {
        let ann = Self.credential("ann")
        #expect(changes { storage.set(ann, for: Self.space()) } == 1)
        #expect(changes { storage.set(ann, for: Self.space()) } == 0)
        #expect(changes { storage.setDefaultCredential(ann, for: Self.space()) } == 1)
        #expect(changes { storage.remove(Self.credential("bob"), for: Self.space()) } == 0)
        #expect(changes { storage.remove(ann, for: Self.space()) } == 1)
        #expect(changes { storage.removeAll() } == 0)
    }

    // BEHAVIOUR 2.A15
    @Test func `a space is found by what it says, in whatever way`() {
        storage.setDefaultCredential(Self.credential("ann"), for: Self.space())
        let other = URLProtectionSpace(
            host: "H", port: 80, protocol: NSURLProtectionSpaceHTTP, realm: "vault",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        #expect(storage.defaultCredential(for: other)?.user == "ann")
    }

    /// Looks into its storage whenever it is looked at.
    private final class Curious: URLProtectionSpace, @unchecked Sendable {
        let storage = Lock<URLCredentialStorage?>(nil)
        override var host: String {
            _ = storage.withLock { $0 }?.allCredentials
            return super.host
        }
    }

    private final class CuriousCredential: URLCredential, @unchecked Sendable {
        let storage = Lock<URLCredentialStorage?>(nil)
        override var password: String? {
            _ = storage.withLock { $0 }?.allCredentials
            return super.password
        }
    }

    @Test func `nothing that a subclass overrides is called under the lock`() {
        let space = Curious(
            host: "h", port: 80, protocol: "http", realm: "vault",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let credential = CuriousCredential(user: "ann", password: "s3cret", persistence: .forSession)
        storage.setDefaultCredential(credential, for: space)
        space.storage.withLock { $0 = storage }
        credential.storage.withLock { $0 = storage }
        storage.set(credential, for: space)
        #expect(storage.credentials(for: space)?.count == 1)
        storage.remove(credential, for: space)
        #expect(storage.defaultCredential(for: space) == nil)
        space.storage.withLock { $0 = nil }
        credential.storage.withLock { $0 = nil }
    }

    @Test func `a dump of a credential shows no password`() {
        var text = ""
        dump(Self.credential("ann", "s3cret-word"), to: &text)
        #expect(text.contains("ann") && !text.contains("s3cret-word"))
        #expect(!String(reflecting: Self.credential("ann", "s3cret-word")).contains("s3cret-word"))
    }

    // BEHAVIOUR 2.A14
    @Test func `configurations share a storage, ephemeral ones do not`() {
        #expect(URLSessionConfiguration.default.urlCredentialStorage === URLCredentialStorage.shared)
        let ephemeral = URLSessionConfiguration.ephemeral
        #expect(ephemeral.urlCredentialStorage !== URLCredentialStorage.shared)
        #expect(ephemeral.urlCredentialStorage !== URLSessionConfiguration.ephemeral.urlCredentialStorage)
        ephemeral.urlCredentialStorage = nil
        #expect(ephemeral.urlCredentialStorage == nil && !ephemeral.clientSettings().keepsCredentials)
        #expect(URLSessionConfiguration.default.clientSettings().keepsCredentials)
    }
}
