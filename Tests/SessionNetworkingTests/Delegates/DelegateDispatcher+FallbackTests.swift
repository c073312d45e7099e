import ClientMachines
import Foundation
import TestSupport
import Testing

@testable import SessionNetworking

/// The task's delegate before the session's, method by method; missing methods; both forms of a method.
@Suite(.endsInTime) struct DelegateFallbackTests {
    private let world = FakeWorld()

    private final class Bare: NSObject, URLSessionDataDelegate {}

    private final class BareDownload: NSObject, URLSessionDownloadDelegate {
        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {}
    }

    private final class DataOnly: NSObject, URLSessionDataDelegate {
        let journal: Journal
        init(_ journal: Journal) { self.journal = journal }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            journal.note("t didReceive data \(data.count)")
        }
    }

    private final class SessionLevelOnly: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            Issue.record("asked about a challenge of a task")
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    private final class AsyncOnly: NSObject, URLSessionDataDelegate {
        let journal: Journal
        init(_ journal: Journal) { self.journal = journal }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? {
            journal.note("t async redirect")
            return nil
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            journal.note("t async challenge")
            return (.rejectProtectionSpace, nil)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
        ) async -> URLSession.ResponseDisposition {
            journal.note("t async response")
            return .cancel
        }

        func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream? {
            journal.note("t async stream")
            return InputStream(data: Data("later".utf8))
        }
    }

    private func start(
        _ session: URLSession, taskDelegate: (any URLSessionTaskDelegate)? = nil
    ) -> URLSessionDataTask {
        let task = session.dataTask(with: Sample.url)
        task.delegate = taskDelegate
        task.resume()
        return task
    }

    // BEHAVIOUR 1.A4, 1.B1-6
    @Test func `the task's delegate shadows the session's, whose turn comes where it has no method`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = start(session, taskDelegate: DataOnly(world.journal))
        world.tell(task, .sentBody(bytes: 1, total: 1, expected: 1))
        world.ask(task, 1, .response(Sample.ok))
        world.queue.runAll()
        world.tell(task, Sample.data("abc"), .complete(nil))
        world.queue.runAll()
        #expect(
            world.journal.take() == [
                "s didCreateTask", "s didSendBodyData 1, 1 of 1", "s didReceive response 200", "t didReceive data 3",
                "s didComplete no error, state completed",
            ])
        #expect(world.engine.takeWords().dropFirst() == ["answer 1 allow"])
    }

    @Test func `everything goes to a task's delegate that has everything`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = start(session, taskDelegate: world.spy("t"))
        world.ask(task, 1, Sample.redirect)
        world.ask(task, 2, .response(Sample.ok))
        world.tell(task, Sample.data("abc"), .complete(nil))
        world.queue.runAll()
        #expect(
            world.journal.take() == [
                "s didCreateTask", "t willPerformHTTPRedirection 302 to /b", "t didReceive response 200",
                "t didReceive data 3", "t didComplete no error, state completed",
            ])
    }

    @Test func `a delegate that is set after the task was made is asked`() {
        let session = world.makeSession()
        let task = session.dataTask(with: Sample.url)
        task.delegate = world.spy("t")
        task.resume()
        #expect(
            world.engine.takePlans().map(\.asks) == [
                [.redirect, .challenge, .connection, .bodyStream, .response, .willCache]
            ])
    }

    // BEHAVIOUR 1.B1-7
    @Test func `a delegate that is set after the start has no effect`() {
        let session = world.makeSession()
        let task = start(session)
        task.delegate = world.spy("t")
        #expect(task.delegate == nil)
        // The storage of credentials may have an answer.
        #expect(world.engine.takePlans().map(\.asks) == [[.challenge]])
    }

    // BEHAVIOUR 1.A4
    @Test func `what nobody implements is asked once, then no more`() {
        let session = world.makeSession(delegate: Bare())
        let task = start(session)
        #expect(
            world.engine.takePlans().map(\.asks) == [
                [.redirect, .challenge, .connection, .bodyStream, .response, .willCache]
            ])
        world.ask(task, 1, Sample.redirect)
        world.ask(task, 2, Sample.challenge)
        world.ask(task, 3, .response(Sample.ok))
        world.ask(task, 4, .bodyStream)
        world.queue.runAll()
        let answers = [
            "answer 1 redirect /b", "answer 2 challenge rejectProtectionSpace", "answer 3 allow", "answer 4 no stream",
        ]
        #expect(Set(world.engine.takeWords()) == Set(answers))
        _ = start(session)
        #expect(world.engine.takePlans().map(\.asks) == [[.challenge, .connection, .willCache]])
    }

    // BEHAVIOUR 1.A4
    @Test func `what is only told may be left out`() {
        let session = world.makeSession(delegate: BareDownload())
        let task = session.downloadTask(with: Sample.url)
        task.resume()
        world.tell(
            task, .resumed(offset: 1, expected: 2), .sentBody(bytes: 1, total: 1, expected: 1),
            .informational(Sample.response(103)), .wrote(bytes: 1, total: 2, expected: 2), .complete(nil))
        world.queue.runAll()
        #expect(task.state == .completed)
    }

    // BEHAVIOUR 1.A4-async
    @Test func `the asynchronous form of the task's delegate comes before the session's handler form`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = start(session, taskDelegate: AsyncOnly(world.journal))
        _ = world.engine.takeInputs()
        _ = world.journal.take()
        world.ask(task, 1, Sample.redirect)
        world.queue.runAll()
        world.ask(task, 2, Sample.challenge)
        world.queue.runAll()
        world.ask(task, 3, .response(Sample.ok))
        world.queue.runAll()
        world.ask(task, 4, .bodyStream)
        world.queue.runAll()
        #expect(
            world.journal.take() == [
                "t async redirect", "t async challenge", "t async response", "t async stream",
            ])
        #expect(task.shared.withLock { $0.bodyStreams[.first] } != nil)
        #expect(
            world.engine.takeWords() == [
                "answer 1 redirect no", "answer 2 challenge rejectProtectionSpace", "answer 3 deny",
                "answer 4 stream 1",
            ])
    }

    // BEHAVIOUR 1.B1-13
    @Test func `a challenge of a task is never put to the session-level method`() {
        let session = world.makeSession(delegate: SessionLevelOnly())
        let task = start(session)
        _ = world.engine.takeInputs()
        world.ask(task, 1, Sample.challenge)
        world.queue.runAll()
        #expect(world.engine.takeWords() == ["answer 1 challenge rejectProtectionSpace"])
    }

    // BEHAVIOUR 1.I4
    @Test func `a redirect's answer keeps the stream that was proposed, or brings its own`() {
        let session = world.makeSession(
            delegate: SpyDelegate(
                "s", world.journal,
                .init(redirect: { request in
                    var request = request
                    if request.url?.path == "/own" { request.httpBodyStream = InputStream(data: Data("own".utf8)) }
                    return request
                })))
        var request = URLRequest(url: Sample.url)
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("first".utf8))
        let task = session.dataTask(with: request)
        task.resume()
        _ = world.engine.takeInputs()
        for (number, path) in ["/b", "/own"].enumerated() {
            var next = ClientRequest(method: "PUT", url: Sample.reference)
            next.url.path = path
            next.body = .stream(.first)
            world.ask(task, number, .redirect(Sample.response(307), next: next))
        }
        world.queue.runAll()
        let bodies = world.engine.takeInputs().map { input in
            if case .answer(_, .redirect(let next?)) = input { next.body } else { RequestBody?.none }
        }
        #expect(bodies == [.stream(.first), .stream(BodyStreamID(2))])
    }

    // BEHAVIOUR 1.A4-async
    @Test func `of a delegate with both forms only the one with a handler is called`() {
        final class Both: NSObject, URLSessionTaskDelegate {
            let journal: Journal
            init(_ journal: Journal) { self.journal = journal }

            func urlSession(
                _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
            ) {
                journal.note("handler redirect")
                completionHandler(request)
            }

            func urlSession(
                _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest
            ) async -> URLRequest? {
                journal.note("async redirect")
                return nil
            }
        }
        let session = world.makeSession(delegate: Both(world.journal))
        let task = start(session)
        _ = world.engine.takeInputs()
        world.ask(task, 1, Sample.redirect)
        world.queue.runAll()
        #expect(world.journal.take() == ["handler redirect"])
        #expect(world.engine.takeWords() == ["answer 1 redirect /b"])
    }

    @Test func `a task's delegate without either form leaves the question to the session's`() {
        let session = world.makeSession(delegate: world.spy("s"))
        for _ in 0..<2 {
            let task = start(session, taskDelegate: Bare())
            _ = world.engine.takeInputs()
            _ = world.journal.take()
            world.ask(task, 1, Sample.redirect)
            world.ask(task, 2, .response(Sample.ok))
            world.queue.runAll()
            #expect(
                world.journal.take() == [
                    "s willPerformHTTPRedirection 302 to /b", "s didReceive response 200",
                ])
            #expect(world.engine.takeWords() == ["answer 1 redirect /b", "answer 2 allow"])
        }
    }

    @Test func `nobody is asked after the task's last message`() {
        let session = world.makeSession(delegate: world.spy("s"))
        let task = start(session, taskDelegate: Bare())
        world.ask(task, 1, Sample.redirect)
        // The question is on its way to the asynchronous form while the task ends.
        world.queue.runOne()
        world.tell(task, .complete(Sample.cancelled))
        world.queue.runAll()
        #expect(world.journal.take() == ["s didCreateTask", "s didComplete -999, state completed"])
    }

    @Test func `an answer that comes later, from another thread, counts`() {
        final class Slow: NSObject, URLSessionTaskDelegate {
            let queue: FakeQueue
            init(_ queue: FakeQueue) { self.queue = queue }

            func urlSession(
                _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
            ) {
                queue.run { completionHandler(nil) }
            }
        }
        let elsewhere = FakeQueue()
        let session = world.makeSession(delegate: Slow(elsewhere))
        let task = start(session)
        _ = world.engine.takeInputs()
        world.ask(task, 1, Sample.redirect)
        world.queue.runAll()
        #expect(world.engine.takeWords().isEmpty)
        elsewhere.runAll()
        #expect(world.engine.takeWords() == ["answer 1 redirect no"])
    }
}
