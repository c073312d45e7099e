import Foundation
import Locks
import TestSupport
import Testing

@testable import SessionNetworking

/// BEHAVIOUR 2.A11-service
@Suite(.endsInTime) struct CredentialPointerTests {
    private let folder: TestFolder
    private var path: String { folder.url.path + "/credentials.json" }

    init() throws { folder = try TestFolder() }

    /// A Secret Service that answers as the test wants.
    private final class Desktop: SecretPlace {
        struct Answers: Sendable {
            var text: String?
            var isSilent = false
            /// Its answer waits for this.
            var gate: DispatchSemaphore?
        }

        let answers = Lock(Answers())

        func text() throws(SecretsSilent) -> String? {
            let answers = answers.withLock { $0 }
            answers.gate?.wait()
            if answers.isSilent { throw SecretsSilent() }
            return answers.text
        }

        func keep(_ text: String) throws(SecretsSilent) {
            let isSilent = answers.withLock { answers in
                if !answers.isSilent { answers.text = text }
                return answers.isSilent
            }
            if isSilent { throw SecretsSilent() }
        }

        func fallSilent(_ isSilent: Bool) { answers.withLock { $0.isSilent = isSilent } }
    }

    private let desktop = Desktop()
    private let space = URLProtectionSpace(
        host: "h", port: 80, protocol: NSURLProtectionSpaceHTTP, realm: "vault",
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic)

    private func storage() -> URLCredentialStorage {
        let desktop = desktop
        return URLCredentialStorage(CredentialFile(path: path, writing: .later) { desktop })
    }

    private func keep(_ user: String, in storage: URLCredentialStorage) async {
        storage.set(URLCredential(user: user, password: "s3cret", persistence: .permanent), for: space)
        await written(storage)
    }

    private func written(_ storage: URLCredentialStorage) async {
        await withCheckedContinuation { done in storage.whenWritten { done.resume() } }
    }

    private func users(_ storage: URLCredentialStorage) -> [String] {
        (storage.credentials(for: space) ?? [:]).keys.sorted()
    }

    private var text: String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }

    @Test func `where there is a service the file says only that, and each change is another version`() async {
        let one = storage(), two = storage()
        await keep("ann", in: one)
        #expect(text == "{\"secretService\":1}\n")
        #expect(desktop.answers.withLock { $0.text }?.contains("s3cret") ?? false)
        await keep("bob", in: two)
        #expect(text == "{\"secretService\":2}\n")
        #expect(users(one) == ["ann", "bob"] && users(two) == ["ann", "bob"] && users(storage()) == ["ann", "bob"])
    }

    @Test func `a service that is silent from the beginning leaves them in the file, until one answers`() async {
        desktop.fallSilent(true)
        await keep("ann", in: storage())
        #expect(text.contains("s3cret"))
        desktop.fallSilent(false)
        await keep("bob", in: storage())
        #expect(text == "{\"secretService\":1}\n" && users(storage()) == ["ann", "bob"])
    }

    @Test func `one that falls silent loses nothing, and has the changes later`() async {
        await keep("ann", in: storage())
        desktop.fallSilent(true)
        let storage = storage()
        await keep("bob", in: storage)
        #expect(users(storage) == ["bob"] && text == "{\"secretService\":1}\n")
        desktop.fallSilent(false)
        await written(storage)
        #expect(users(storage) == ["ann", "bob"] && users(self.storage()) == ["ann", "bob"])
    }

    @Test func `a damaged file that said so costs nothing of what is there`() async throws {
        await keep("ann", in: storage())
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        await keep("bob", in: storage())
        #expect(text == "{\"secretService\":1}\n" && users(storage()) == ["ann", "bob"])
        #expect(FileManager.default.contents(atPath: path + ".damaged") == Data("x".utf8))
    }

    @Test func `what its user has removed there is gone, and changes go on`() async {
        let storage = storage()
        await keep("ann", in: storage)
        desktop.answers.withLock { $0.text = nil }
        await keep("bob", in: storage)
        #expect(text == "{\"secretService\":2}\n" && users(self.storage()) == ["bob"] && users(storage) == ["bob"])
        desktop.answers.withLock { $0.text = nil }
        #expect(users(self.storage()) == [])
    }

    @Test func `a file of an earlier day takes nothing from what was kept since`() async throws {
        desktop.fallSilent(true)
        await keep("ann", in: storage())
        await keep("eve", in: storage())
        let earlier = try #require(FileManager.default.contents(atPath: path))
        desktop.fallSilent(false)
        let storage = storage()
        storage.set(URLCredential(user: "ann", password: "new", persistence: .permanent), for: space)
        await keep("bob", in: storage)
        try earlier.write(to: URL(fileURLWithPath: path))
        await keep("pat", in: self.storage())
        #expect(text == "{\"secretService\":1}\n")
        #expect(users(self.storage()) == ["ann", "bob", "eve", "pat"])
        #expect(self.storage().credentials(for: space)?["ann"]?.password == "new")
    }

    @Test func `what a later version has kept there stays, and changes wait`() async {
        await keep("ann", in: storage())
        let later = "{\"version\":2,\"credentials\":{}}"
        let kept = desktop.answers.withLock { answers in
            defer { answers.text = later }
            return answers.text
        }
        let storage = storage()
        await keep("bob", in: storage)
        #expect(users(storage) == ["bob"] && desktop.answers.withLock { $0.text } == later)
        desktop.answers.withLock { $0.text = kept }
        await written(storage)
        #expect(users(self.storage()) == ["ann", "bob"])
    }

    @Test func `nor does a file take its place`() async throws {
        let later = "{\"version\":2,\"credentials\":{}}"
        desktop.answers.withLock { $0.text = later }
        await keep("ann", in: storage())
        #expect(users(storage()) == ["ann"] && desktop.answers.withLock { $0.text } == later)
    }

    @Test func `nobody waits long for one that is slow, and what it says comes later`() async {
        await keep("ann", in: storage())
        let gate = DispatchSemaphore(value: 0), storage = storage()
        desktop.answers.withLock { $0.gate = gate }
        #expect(users(storage) == [])
        // It is asked once.
        #expect(users(storage) == [])
        desktop.answers.withLock { $0.gate = nil }
        gate.signal()
        while users(storage).isEmpty { await Task.yield() }
        #expect(users(storage) == ["ann"])
    }

    @Test func `what was never read is reset, too`() async {
        await keep("ann", in: storage())
        let storage = storage()
        storage.removeAll()
        await written(storage)
        #expect(users(self.storage()) == [])
    }

    @Test(arguments: [
        "", "{}", "{\"secretService\":-1}", "{\"secretService\":\"1\"}", "{\"version\":1,\"credentials\":[]}",
    ])
    func `other files are none`(text: String) { #expect(CredentialPointer(Array(text.utf8)) == nil) }

    @Test func `the number goes round`() {
        let last = CredentialPointer(.max)
        #expect(CredentialPointer(last.bytes) == last && last.next == CredentialPointer(0))
    }

    @Test(arguments: [[:], ["DBUS_SESSION_BUS_ADDRESS": ""]] as [[String: String]])
    func `without a bus there is no service`(environment: [String: String]) {
        #expect(SecretService(program: "p", file: "/f", environment: environment) == nil)
    }
}
