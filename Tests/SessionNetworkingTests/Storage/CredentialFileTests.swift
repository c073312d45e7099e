import Foundation
import TestSupport
import Testing

@testable import SessionNetworking

/// BEHAVIOUR 2.A11-file
@Suite(.endsInTime) struct CredentialFileTests {
    private let folder: TestFolder
    private var path: String { folder.url.path + "/credentials.json" }

    init() throws { folder = try TestFolder() }

    private let space = URLProtectionSpace(
        host: "h", port: 80, protocol: NSURLProtectionSpaceHTTP, realm: "vault",
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic)

    private func storage() -> URLCredentialStorage { URLCredentialStorage(file: path, writesAtOnce: true) }

    private func credential(
        _ user: String, _ password: String = "s3cret", _ persistence: URLCredential.Persistence = .permanent
    ) -> URLCredential {
        URLCredential(user: user, password: password, persistence: persistence)
    }

    private func users(_ storage: URLCredentialStorage) -> [String] {
        (storage.credentials(for: space) ?? [:]).keys.sorted()
    }

    // BEHAVIOUR 2.A11-synchronizable
    @Test func `permanent ones are there again, with their default, and no others`() {
        let first = storage()
        first.setDefaultCredential(credential("ann"), for: space)
        first.set(credential("bob", "other", .synchronizable), for: space)
        first.set(credential("eve", "s3cret", .forSession), for: space)
        let second = storage()
        #expect(users(first) == ["ann", "bob", "eve"] && users(second) == ["ann", "bob"])
        #expect(second.defaultCredential(for: space)?.password == "s3cret")
        #expect(second.credentials(for: space)?["bob"]?.persistence == .synchronizable)
        let key = NSURLCredentialStorageRemoveSynchronizableCredentials
        second.remove(credential("bob", "other"), for: space, options: [key: NSNumber(value: true)])
        second.remove(credential("ann"), for: space)
        #expect(users(first) == ["eve"] && users(storage()).isEmpty)
    }

    @Test func `storages of one file see each other's changes, and keep their own`() {
        let one = storage(), two = storage()
        one.set(credential("ann"), for: space)
        two.set(credential("bob"), for: space)
        #expect(users(one) == ["ann", "bob"] && users(two) == ["ann", "bob"])
        one.set(credential("ann", "new"), for: space)
        #expect(two.credentials(for: space)?["ann"]?.password == "new")
        // Of the same user one is kept, wherever.
        two.set(credential("ann", "newest", .forSession), for: space)
        #expect(users(one) == ["bob"] && users(two) == ["ann", "bob"])
        one.removeAll()
        #expect(users(two) == ["ann"])
    }

    @Test func `an object stays the same while it says the same`() {
        let one = storage()
        one.setDefaultCredential(credential("ann"), for: space)
        let kept = one.defaultCredential(for: space)
        storage().set(credential("bob"), for: space)
        #expect(one.defaultCredential(for: space) === kept)
    }

    @Test(arguments: ["", "{", "[]", "{\"version\":2,\"credentials\":[]}", "\u{0}\u{0}", "#!/bin/sh\necho"])
    func `a file that makes no sense is put aside`(text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let storage = storage()
        #expect(storage.allCredentials.isEmpty)
        storage.set(credential("ann"), for: space)
        #expect(users(self.storage()) == ["ann"])
        #expect(FileManager.default.contents(atPath: path + ".damaged") == Data(text.utf8))
    }

    @Test func `a file that is damaged meanwhile gets what this process had`() throws {
        let storage = storage()
        storage.set(credential("ann"), for: space)
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        #expect(users(storage) == ["ann"])
        storage.set(credential("bob"), for: space)
        #expect(users(self.storage()) == ["ann", "bob"])
        #expect(FileManager.default.contents(atPath: path + ".damaged") == Data("{".utf8))
    }

    @Test func `a file that is removed has removed its credentials`() throws {
        let storage = storage()
        storage.set(credential("ann"), for: space)
        storage.set(credential("eve", "s3cret", .forSession), for: space)
        unlink(path)
        #expect(users(storage) == ["eve"])
        storage.set(credential("bob"), for: space)
        #expect(users(self.storage()) == ["bob"])
        #expect(!FileManager.default.fileExists(atPath: path + ".damaged"))
    }

    /// Another user's, and what the system refuses for now, are neither absent nor damaged.
    @Test func `what cannot be read is left as it is, and has the changes later`() async {
        storage().set(credential("ann"), for: space)
        let isRoot = geteuid() == 0
        #expect((isRoot ? chown(path, 12_345, 12_345) : chmod(path, 0)) == 0)
        let later = URLCredentialStorage(file: path)
        later.set(credential("bob"), for: space)
        await withCheckedContinuation { done in later.whenWritten { done.resume() } }
        #expect(users(later) == ["bob"])
        #expect(!FileManager.default.fileExists(atPath: path + ".damaged"))
        #expect((isRoot ? chown(path, 0, 0) : chmod(path, 0o600)) == 0)
        #expect(users(storage()) == ["ann"])
        // Tries once more, though nothing new has changed.
        await withCheckedContinuation { done in later.whenWritten { done.resume() } }
        #expect(users(storage()) == ["ann", "bob"] && users(later) == ["ann", "bob"])
    }

    @Test func `later is written on a queue, and can be waited for`() async {
        let later = URLCredentialStorage(file: path)
        later.setDefaultCredential(credential("ann"), for: space)
        #expect(users(later) == ["ann"])
        await withCheckedContinuation { done in later.whenWritten { done.resume() } }
        #expect(users(storage()) == ["ann"])
    }

    @Test func `a disk that takes nothing leaves everything in memory`() throws {
        let storage = URLCredentialStorage(file: "/proc/none/credentials.json", writesAtOnce: true)
        storage.setDefaultCredential(credential("ann"), for: space)
        #expect(storage.defaultCredential(for: space)?.user == "ann")
        for number in 0..<20 { storage.set(credential("\(number)"), for: space) }
        #expect(users(storage).count == 21)
    }

    // BEHAVIOUR 2.A14
    @Test func `a session's flush waits for the disk, and its reset empties the file`() async {
        let configuration = URLSessionConfiguration.ephemeral
        let storage = URLCredentialStorage(file: path)
        configuration.urlCredentialStorage = storage
        let session = URLSession(configuration: configuration)
        storage.set(credential("ann"), for: space)
        await withCheckedContinuation { done in session.flush { done.resume() } }
        #expect(users(self.storage()) == ["ann"])
        await withCheckedContinuation { done in session.reset { done.resume() } }
        #expect(users(self.storage()).isEmpty)
        session.invalidateAndCancel()
    }
}
