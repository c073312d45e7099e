import Foundation
import Locks
import TestSupport
import Testing

@testable import SessionNetworking

/// What a protocol object tells its client, in every state of a load and on several threads at once: in its turn or
/// not, the task ends once, and whatever was started is stopped once.
@Suite(.endsInTime) struct ProtocolClientTests {
    enum State: CaseIterable {
        /// The object is being made.
        case made
        case started, answered, loaded, finished, failed, redirected
        /// The task was cancelled, and the object has been stopped.
        case stopped
        /// The session is invalid and released as well.
        case forgotten
    }

    private static let threads = 4

    private static let calls: [String: MockProtocol.Script] = [
        "redirect": redirect,
        "respond": { mock, _ in mock.respond() },
        "load": { mock, _ in mock.load("more") },
        "finish": { mock, _ in mock.finish() },
        "fail": fail,
        "answer from a cache": { mock, client in
            let answer = CachedURLResponse(response: Sample.publicResponse, data: Data("cached".utf8))
            client.urlProtocol(mock, cachedResponseIsValid: answer)
        },
        "challenge, and withdraw it": { mock, client in
            let space = URLProtectionSpace(
                host: "mock.test", port: 80, protocol: "http", realm: nil, authenticationMethod: nil)
            let challenge = URLAuthenticationChallenge(
                protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil,
                error: nil, sender: Nobody())
            client.urlProtocol(mock, didReceive: challenge)
            client.urlProtocol(mock, didCancel: challenge)
        },
    ]

    private static let redirect: MockProtocol.Script = { mock, client in
        let response = HTTPURLResponse(url: Sample.url, statusCode: 302, httpVersion: nil, headerFields: nil)
        var next = mock.request
        next.url = URL(string: "http://mock.test/there")
        if let response { client.urlProtocol(mock, wasRedirectedTo: next, redirectResponse: response) }
    }

    private static let fail: MockProtocol.Script = { mock, client in
        client.urlProtocol(mock, didFailWithError: URLError(.cannotParseResponse))
    }

    // BEHAVIOUR 2.H19-order, 2.H18-late
    @Test(arguments: State.allCases) func `a task ends once, whatever is said when`(state: State) {
        for (name, call) in Self.calls.sorted(by: { $0.key < $1.key }) {
            let (ends, lines) = Self.play(state, call)
            #expect(ends == 1, "\(name)")
            #expect(!lines.isEmpty, "\(name)")
            #expect(lines.count { $0 == "stop" } * 2 == lines.count, "\(name): \(lines)")
        }
    }

    /// How often the task ended, and what was started and stopped.
    private static func play(_ state: State, _ call: @escaping MockProtocol.Script) -> (ends: Int, lines: [String]) {
        let calls: MockProtocol.Script = { mock, client in
            DispatchQueue.concurrentPerform(iterations: threads) { _ in call(mock, client) }
        }
        let kept = Lock<(MockProtocol, any URLProtocolClient)?>(nil), isKept = DispatchSemaphore(value: 0)
        let isLate = state == .stopped || state == .forgotten
        let stage = MockProtocol.Stage(prologue: state == .made ? calls : nil) { mock, client in
            guard !isLate else {
                kept.withLock { $0 = (mock, client) }
                isKept.signal()
                return
            }
            // Where a redirect leads to, nothing but the end is wanted.
            if mock.request.url?.path == "/a" {
                prepare(state, mock, client)
                if state != .made { calls(mock, client) }
            }
            mock.finish()
        }
        let ends = Ends()
        var session: URLSession? = MockProtocol.session(delegate: ends)
        let request = MockProtocol.request("http://mock.test/a", stage)
        let task = session?.dataTask(with: request) { _, _, _ in ends.noteTask() }
        task?.resume()
        if isLate {
            guard isKept.wait(timeout: .now() + 20) == .success else { return (0, ["never started"]) }
            task?.cancel()
            guard stage.awaitStop() else { return (0, ["never stopped"]) }
            if state == .forgotten { session?.invalidateAndCancel() }
            if let (mock, client) = kept.withLock({ $0 }) { calls(mock, client) }
        }
        session?.finishTasksAndInvalidate()
        session = nil
        let count = ends.count()
        // What an object says while it is made may end its task: it is started and stopped behind that. A late one was
        // stopped before its calls.
        for _ in 0..<stage.made - (isLate ? 1 : 0) where !stage.awaitStop() { break }
        return (count, stage.journal.take())
    }

    private static func prepare(_ state: State, _ mock: MockProtocol, _ client: any URLProtocolClient) {
        switch state {
        case .made, .started, .stopped, .forgotten: break
        case .answered: mock.respond()
        case .loaded:
            mock.respond()
            mock.load("hello")
        case .finished: mock.finish()
        case .failed: fail(mock, client)
        case .redirected: redirect(mock, client)
        }
    }
}

/// Counts how often a task ends, until its session does.
private final class Ends: NSObject, URLSessionDelegate {
    private let tasks = Lock(0), task = DispatchSemaphore(value: 0), session = DispatchSemaphore(value: 0)

    func noteTask() {
        tasks.withLock { $0 += 1 }
        task.signal()
    }

    func urlSession(_: URLSession, didBecomeInvalidWithError error: (any Error)?) { session.signal() }

    /// 0 as well if the session goes on.
    func count() -> Int {
        for end in [task, session] where end.wait(timeout: .now() + 20) != .success { return 0 }
        return tasks.withLock { $0 }
    }
}

private final class Nobody: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
