import Foundation
import TestSupport
import Testing

@testable import SessionNetworking

/// What a protocol object hears of the answer to its challenge.
@Suite(.endsInTime) struct PendingChallengeTests {
    private final class Sender: NSObject, URLAuthenticationChallengeSender {
        let journal = Journal()
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
            journal.note("use \(credential.user ?? "")")
        }
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { journal.note("without") }
        func cancel(_ challenge: URLAuthenticationChallenge) { journal.note("cancel") }
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) { journal.note("default") }
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) { journal.note("reject") }
    }

    private static func challenge(_ sender: Sender) -> URLAuthenticationChallenge {
        let space = URLProtectionSpace(
            host: "mock.test", port: 80, protocol: "http", realm: "r",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        return URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: sender)
    }

    private static let credential = URLCredential(user: "ann", password: "x", persistence: .none)

    // BEHAVIOUR 2.H19-challenge
    @Test(
        arguments: [
            (.useCredential, credential, "use ann"), (.useCredential, nil, "without"),
            (.performDefaultHandling, nil, "default"), (.cancelAuthenticationChallenge, nil, "cancel"),
            (.rejectProtectionSpace, nil, "reject"),
        ] as [(URLSession.AuthChallengeDisposition, URLCredential?, String)])
    func `each answer has its own word to the sender, on the object's queue, and the first counts`(
        disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?, word: String
    ) {
        let sender = Sender(), queue = FakeQueue()
        let pending = PendingChallenge(Self.challenge(sender), executor: queue)
        #expect(pending.answer(disposition, credential))
        #expect(!pending.answer(.performDefaultHandling, nil))
        #expect(sender.journal.take() == [])
        queue.runAll()
        #expect(sender.journal.take() == [word])
    }

    // BEHAVIOUR 2.H19-challenge
    @Test func `a challenge that was withdrawn hears no answer`() {
        for isEarly in [false, true] {
            let sender = Sender(), queue = FakeQueue(), journal = Journal()
            let pending = PendingChallenge(Self.challenge(sender), executor: queue)
            if isEarly { pending.withdraw() }
            pending.await { journal.note("withdrawn") }
            if !isEarly { pending.withdraw() }
            #expect(journal.take() == ["withdrawn"])
            #expect(!pending.answer(.useCredential, Self.credential))
            queue.runAll()
            #expect(sender.journal.take() == [])
        }
    }

    // BEHAVIOUR 2.H19-challenge
    @Test func `a delegate's credential reaches the protocol object`() async throws {
        final class Answering: NSObject, URLSessionTaskDelegate {
            func urlSession(
                _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
            ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
                (.useCredential, URLCredential(user: "ann", password: "x", persistence: .none))
            }
        }
        final class Going: NSObject, URLAuthenticationChallengeSender {
            let goOn: @Sendable (String) -> Void
            init(_ goOn: @escaping @Sendable (String) -> Void) { self.goOn = goOn }
            func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
                goOn(credential.user ?? "")
            }
            func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { goOn("without") }
            func cancel(_ challenge: URLAuthenticationChallenge) {}
            func performDefaultHandling(for challenge: URLAuthenticationChallenge) { goOn("default") }
            func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
        }
        let stage = MockProtocol.Stage { mock, client in
            let sender = Going { word in
                mock.load(word)
                mock.finish()
            }
            let space = URLProtectionSpace(
                host: "mock.test", port: 80, protocol: "http", realm: "r",
                authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
            client.urlProtocol(
                mock,
                didReceive: URLAuthenticationChallenge(
                    protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil,
                    error: nil, sender: sender))
        }
        let request = MockProtocol.request("http://mock.test/a", stage), session = MockProtocol.session()
        let asked = try await session.data(for: request, delegate: Answering())
        #expect(asked.0 == Data("ann".utf8))
        let alone = try await session.data(for: request)
        #expect(alone.0 == Data("default".utf8))
    }
}
