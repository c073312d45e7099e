import ClientMachines
import Foundation
import HTTPBasics
import Locks
import Testing

@testable import SessionNetworking

/// Credentials of tasks, between the delegate, the storage and the machine.
@Suite struct StoredChallengeTests {
    private let world = FakeWorld()
    private let storage = URLCredentialStorage()
    private let space = URLProtectionSpace(
        host: "example.com", port: 80, protocol: NSURLProtectionSpaceHTTP, realm: "vault",
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic)

    /// Answers each challenge with all of these, one after another.
    private final class Answering: NSObject, URLSessionTaskDelegate {
        let credentials: [URLCredential]
        init(_ credentials: URLCredential...) { self.credentials = credentials }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            for credential in credentials { completionHandler(.useCredential, credential) }
        }
    }

    private func credential(
        _ user: String, _ persistence: URLCredential.Persistence = .forSession
    ) -> URLCredential {
        URLCredential(user: user, password: "s3cret", persistence: persistence)
    }

    private func session(_ delegate: Answering? = nil) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCredentialStorage = storage
        return world.makeSession(delegate: delegate, configuration: configuration)
    }

    private func challenge(proposed: String? = nil, byRedirect: Bool = false) throws -> Challenge {
        let url = try #require(URLReference("http://example.com/a"))
        return Challenge(
            origin: try #require(url.origin), realm: "vault", method: .basic,
            proposed: proposed.map { Credential(user: $0, password: "s3cret") }, isProposedByRedirect: byRedirect,
            previousFailures: 0,
            response: Response(head: ResponseHead(status: 401, Fields()), url: url, expectedLength: 0))
    }

    private func play(_ session: URLSession, _ challenge: Challenge, between: () -> Void = {}) -> URLSessionTask {
        let task = session.dataTask(with: Sample.url)
        task.resume()
        world.ask(task, 1, .challenge(challenge))
        world.queue.runAll()
        between()
        world.tell(task, .letIn(.server))
        world.tell(task, .complete(nil))
        world.queue.runAll()
        return task
    }

    private var kept: String? { storage.defaultCredential(for: space)?.user }

    private var usedCredentials: [String?] {
        world.engine.takeInputs().compactMap { input in
            if case .answer(_, .challenge(.use(let credential, _))) = input { credential?.user } else { nil }
        }
    }

    // BEHAVIOUR 2.A11-kept
    @Test func `the first answer is kept, as the machine takes it`() throws {
        let task = play(session(Answering(credential("ann"), credential("bob"))), try challenge())
        #expect(kept == "ann")
        #expect(task.shared.withLock { $0.challenges.isEmpty })
    }

    @Test func `what is for the task alone is not even held`() throws {
        let task = session(Answering(credential("ann", .none))).dataTask(with: Sample.url)
        task.resume()
        world.ask(task, 1, .challenge(try challenge()))
        world.queue.runAll()
        #expect(task.shared.withLock { $0.challenges.isEmpty })
    }

    @Test func `what let nothing in is let go of at the end`() throws {
        let task = session(Answering(credential("ann"))).dataTask(with: Sample.url)
        task.resume()
        world.ask(task, 1, .challenge(try challenge()))
        world.queue.runAll()
        #expect(task.shared.withLock { !$0.challenges.isEmpty })
        world.tell(task, .complete(nil))
        world.queue.runAll()
        #expect(task.shared.withLock { $0.challenges.isEmpty } && kept == nil)
    }

    // BEHAVIOUR 2.A24-reset
    @Test func `a task that was given its credential before a reset keeps nothing`() throws {
        let session = session(Answering(credential("ann")))
        _ = play(session, try challenge()) { session.reset {} }
        #expect(storage.allCredentials.isEmpty)
    }

    // BEHAVIOUR 2.A19-redirect
    @Test(arguments: [(false, "eve"), (true, "ann")])
    func `the storage comes after the caller and before a redirect`(byRedirect: Bool, wanted: String) throws {
        storage.setDefaultCredential(credential("ann"), for: space)
        _ = play(session(), try challenge(proposed: "eve", byRedirect: byRedirect))
        #expect(usedCredentials == [wanted])
    }

    /// Has another credential whenever it is asked.
    private final class Endless: URLCredentialStorage, @unchecked Sendable {
        private let count = Lock(0)
        override func getDefaultCredential(
            for space: URLProtectionSpace, task: URLSessionTask,
            completionHandler: @escaping @Sendable (URLCredential?) -> Void
        ) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            completionHandler(URLCredential(user: "u\(number)", password: "p", persistence: .forSession))
        }
    }

    // BEHAVIOUR 2.A5-most
    @Test func `a storage that always has another one is asked for eight`() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCredentialStorage = Endless()
        let task = world.makeSession(configuration: configuration).dataTask(with: Sample.url)
        task.resume()
        var challenge = try challenge()
        var asked = 0
        while asked < 20 {
            asked += 1
            world.ask(task, asked, .challenge(challenge))
            world.queue.runAll()
            guard let user = usedCredentials.first ?? nil else { break }
            challenge.refused.add(Credential(user: user, password: "p"), realm: "vault", .basic)
        }
        #expect(asked == RefusedCredentials.most + 1)
    }

    // BEHAVIOUR 2.A24-removed
    @Test func `what is removed or replaced goes along with nothing`() throws {
        let session = session()
        storage.set(credential("ann"), for: space)
        storage.set(credential("ann"), for: space)
        #expect(world.engine.takeInputs().isEmpty)
        storage.set(URLCredential(user: "ann", password: "new", persistence: .forSession), for: space)
        storage.remove(URLCredential(user: "ann", password: "new", persistence: .none), for: space)
        let origin = Origin(scheme: "http", host: "example.com", port: 80)
        #expect(
            world.engine.takeInputs()
                == ["s3cret", "new"].map {
                    .forgetCredential(
                        ForgottenCredential(Credential(user: "ann", password: $0), origin: origin, realm: "vault"))
                })
        withExtendedLifetime(session) {}
    }
}
