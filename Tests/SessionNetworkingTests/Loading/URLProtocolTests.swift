import Foundation
import Locks
import TestSupport
import Testing

@testable import SessionNetworking

/// Protocol classes as their users see them, over the real engine.
@Suite(.endsInTime) struct URLProtocolTests {
    private static let url = "http://mock.test/a"

    /// Runs a task to its completion with a spy as its delegate; what the spy noted.
    private static func lines(
        _ stage: MockProtocol.Stage, answers: SpyDelegate.Answers = SpyDelegate.Answers(),
        make: (URLSession, URLRequest) -> URLSessionTask = { $0.dataTask(with: $1) }
    ) async -> (lines: [String], task: URLSessionTask) {
        let journal = Journal(), ended = AsyncStream<Void>.makeStream()
        let spy = EndingSpy("spy", journal, answers, ended.continuation)
        let session = MockProtocol.session(delegate: spy)
        let task = make(session, MockProtocol.request(url, stage))
        task.resume()
        for await _ in ended.stream { break }
        session.invalidateAndCancel()
        return (journal.take(), task)
    }

    private static func failure(of request: URLRequest, in session: URLSession) async -> (any Error)? {
        do {
            _ = try await session.data(for: request)
            return nil
        } catch {
            return error
        }
    }

    // BEHAVIOUR 2.H19, 1.B2
    @Test func `a delegate is told of a loaded answer as of a server's`() async {
        let stage = MockProtocol.Stage(MockProtocol.hello)
        let (lines, task) = await Self.lines(stage)
        // Whether one turn of the loop finds both pieces is open; then they are one (BEHAVIOUR 1.B2-pieces).
        let bodies = [["spy didReceive data 2", "spy didReceive data 3"], ["spy didReceive data 5"]]
        #expect(
            bodies.map { body in
                ["spy didCreateTask", "spy didReceive response 200"] + body
                    + ["spy didComplete no error, state completed"]
            }.contains(lines))
        #expect(task.countOfBytesReceived == 5 && task.countOfBytesExpectedToReceive == 5)
        #expect(stage.awaitStop())
        #expect(stage.journal.take() == ["start /a", "stop"])
    }

    // BEHAVIOUR 2.H19, 1.B6
    @Test func `a download's file holds what was loaded`() async {
        let stage = MockProtocol.Stage(MockProtocol.hello)
        let content = Lock(Data())
        var answers = SpyDelegate.Answers()
        answers.file = { file in
            guard let data = try? Data(contentsOf: file) else { return }
            content.withLock { $0 = data }
        }
        let (lines, _) = await Self.lines(stage, answers: answers) { $0.downloadTask(with: $1) }
        #expect(content.withLock { $0 } == Data("hello".utf8))
        #expect(lines.last == "spy didComplete no error, state completed")
        #expect(lines.contains("spy didFinishDownloading, file there"))
    }

    // BEHAVIOUR 1.A1-async
    @Test func `all styles return a loaded answer`() async throws {
        let session = MockProtocol.session()
        let request = MockProtocol.request(Self.url, MockProtocol.Stage(MockProtocol.hello))
        let (data, response) = try await session.data(for: request)
        #expect(data == Data("hello".utf8))
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "x-mock") == "yes")
        let (file, _) = try await session.download(for: request)
        #expect(try Data(contentsOf: file) == Data("hello".utf8))
        try FileManager.default.removeItem(at: file)
        let (bytes, _) = try await session.bytes(for: request)
        #expect(try await bytes.reduce(into: []) { $0.append($1) } == Array("hello".utf8))
        let handled: String? = await withCheckedContinuation { continuation in
            session.dataTask(with: request) { data, _, _ in
                continuation.resume(returning: data.map { String(decoding: $0, as: UTF8.self) })
            }.resume()
        }
        #expect(handled == "hello")
    }

    // BEHAVIOUR 2.H19
    @Test func `the response object reaches the user as it is`() async throws {
        final class OwnResponse: URLResponse, @unchecked Sendable {}
        let own = OwnResponse(url: Sample.url, mimeType: "a/b", expectedContentLength: -1, textEncodingName: nil)
        let stage = MockProtocol.Stage { mock, client in
            client.urlProtocol(mock, didReceive: own, cacheStoragePolicy: .allowed)
            mock.finish()
        }
        let (data, response) = try await MockProtocol.session().data(for: MockProtocol.request(Self.url, stage))
        #expect(response === own && data.isEmpty)
    }

    // BEHAVIOUR 2.D8
    @Test(arguments: [true, false]) func `what is no answer of HTTP is not kept`(isHTTP: Bool) async throws {
        let plain = URLResponse(url: Sample.url, mimeType: "a/b", expectedContentLength: 2, textEncodingName: nil)
        let http = HTTPURLResponse(url: Sample.url, statusCode: 200, httpVersion: nil, headerFields: nil)
        let response = isHTTP ? try #require(http) : plain
        let stage = MockProtocol.Stage { mock, client in
            mock.stage?.journal.note(mock.cachedResponse.map { "\($0.data.count) kept" } ?? "none kept")
            client.urlProtocol(mock, didReceive: response, cacheStoragePolicy: .allowed)
            mock.load("ok")
            mock.finish()
        }
        let session = MockProtocol.session(cache: URLCache()), request = MockProtocol.request(Self.url, stage)
        for _ in 0..<2 { #expect(try await session.data(for: request).0 == Data("ok".utf8)) }
        let kept = stage.journal.take().filter { $0.hasSuffix("kept") }
        #expect(kept == ["none kept", isHTTP ? "2 kept" : "none kept"])
    }

    // BEHAVIOUR 2.H18
    @Test func `a cache that answers twice makes one object`() async throws {
        final class EagerCache: URLCache, @unchecked Sendable {
            override func getCachedResponse(
                for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
            ) {
                completionHandler(nil)
                completionHandler(nil)
            }
        }
        let stage = MockProtocol.Stage(MockProtocol.hello), session = MockProtocol.session(cache: EagerCache())
        let (data, _) = try await session.data(for: MockProtocol.request(Self.url, stage))
        #expect(data == Data("hello".utf8) && stage.awaitStop())
        #expect(stage.made == 1 && stage.journal.take() == ["start /a", "stop"])
    }

    // BEHAVIOUR 2.H19-error
    @Test func `an error reaches the user as it is`() async {
        let stage = MockProtocol.Stage { mock, client in
            client.urlProtocol(mock, didFailWithError: NSError(domain: "mine", code: 7))
        }
        let error = await Self.failure(of: MockProtocol.request(Self.url, stage), in: MockProtocol.session())
        #expect((error as? NSError)?.domain == "mine" && (error as? NSError)?.code == 7)
    }

    // BEHAVIOUR 2.H19-error, 1.B14
    @Test func `what fails behind a response that became a download fails the download, with its own error`() async {
        let becoming = Becoming()
        let stage = MockProtocol.Stage { mock, client in
            mock.respond()
            mock.load("half")
            becoming.awaitIt()
            client.urlProtocol(mock, didFailWithError: NSError(domain: "mine", code: 7))
        }
        let session = MockProtocol.session(delegate: becoming)
        let task = session.dataTask(with: MockProtocol.request(Self.url, stage))
        task.resume()
        var error: (any Error)?
        for await end in becoming.ends { error = end }
        #expect((error as? NSError)?.domain == "mine" && task.error == nil && task.state == .completed)
        session.invalidateAndCancel()
    }

    // BEHAVIOUR 2.H19-order
    @Test(
        arguments: [
            (["load"], "load"), ([], ""), (["respond", "load", "respond", "load"], "loadload"),
            (["respond", "load", "finish", "load", "fail", "respond"], "load"),
        ] as [([String], String)]) func `calls out of order make a legal answer all the same`(
            calls: [String], body: String
        )
        async throws
    {
        let stage = MockProtocol.Stage { mock, client in
            for call in calls + ["finish"] {
                switch call {
                case "load": mock.load("load")
                case "respond": mock.respond()
                case "fail": client.urlProtocol(mock, didFailWithError: URLError(.unknown))
                default: mock.finish()
                }
            }
        }
        let (data, _) = try await MockProtocol.session().data(for: MockProtocol.request(Self.url, stage))
        #expect(String(decoding: data, as: UTF8.self) == body)
    }

    // BEHAVIOUR 2.H19-cached
    @Test func `a cached response that is still good is the whole answer`() async throws {
        let response = URLResponse(url: Sample.url, mimeType: nil, expectedContentLength: 2, textEncodingName: nil)
        let stage = MockProtocol.Stage { mock, client in
            client.urlProtocol(
                mock, cachedResponseIsValid: CachedURLResponse(response: response, data: Data("ok".utf8)))
            mock.finish()
        }
        let (data, _) = try await MockProtocol.session().data(for: MockProtocol.request(Self.url, stage))
        #expect(data == Data("ok".utf8))
    }

    // BEHAVIOUR 2.H19-redirect, 2.H18
    @Test func `a redirect is asked about and loaded by a new object`() async throws {
        let stage = MockProtocol.Stage { mock, client in
            guard mock.request.url?.path == "/a" else { return MockProtocol.hello(mock, client) }
            let response = HTTPURLResponse(url: Sample.url, statusCode: 302, httpVersion: nil, headerFields: nil)
            guard let response else { return }
            var next = mock.request
            next.url = URL(string: "http://mock.test/b")
            client.urlProtocol(mock, wasRedirectedTo: next, redirectResponse: response)
        }
        let (lines, task) = await Self.lines(stage)
        #expect(lines.contains("spy willPerformHTTPRedirection 302 to /b"))
        #expect(lines.last == "spy didComplete no error, state completed")
        #expect(task.currentRequest?.url?.path == "/b" && task.originalRequest?.url?.path == "/a")
        #expect(stage.awaitStop() && stage.awaitStop())
        #expect(stage.journal.take() == ["start /a", "stop", "start /b", "stop"])
    }

    // BEHAVIOUR 2.H18, 1.B13
    @Test func `cancelling stops the load, and nothing it says is heard`() async {
        let started = AsyncStream<Void>.makeStream()
        let stage = MockProtocol.Stage { mock, _ in
            mock.respond()
            started.continuation.yield()
        }
        let session = MockProtocol.session()
        let waiting = Task { await Self.failure(of: MockProtocol.request(Self.url, stage), in: session) }
        for await _ in started.stream { break }
        waiting.cancel()
        #expect(await (waiting.value as? URLError)?.code == .cancelled)
        #expect(stage.awaitStop())
    }

    // BEHAVIOUR 2.H18-timeout
    @Test func `a load that is silent times out`() async {
        // On a busy machine the time may be up before there was a thread to load it on.
        for seconds in [0.05, 1, 10] {
            let stage = MockProtocol.Stage { _, _ in }
            var request = MockProtocol.request(Self.url, stage)
            request.timeoutInterval = seconds
            let error = await Self.failure(of: request, in: MockProtocol.session())
            #expect((error as? URLError)?.code == .timedOut)
            guard stage.made > 0 else { continue }
            #expect(stage.awaitStop())
            #expect(stage.journal.take() == ["start /a", "stop"])
            return
        }
        Issue.record("it was never loaded")
    }

    // BEHAVIOUR 2.H19-thread
    @Test func `the client may be told from any thread`() async throws {
        let stage = MockProtocol.Stage { mock, _ in
            DispatchQueue.global().async {
                mock.respond()
                for _ in 0..<100 { mock.load("0123456789") }
                mock.finish()
            }
        }
        let (data, _) = try await MockProtocol.session().data(for: MockProtocol.request(Self.url, stage))
        #expect(data.count == 1000)
    }

    // BEHAVIOUR 2.H16
    @Test func `classes are asked in their order, then the session loads by itself`() async throws {
        final class Second: URLProtocol {
            override class func canInit(with request: URLRequest) -> Bool { true }
            override func startLoading() {
                client?.urlProtocol(self, didLoad: Data("second".utf8))
                client?.urlProtocolDidFinishLoading(self)
            }
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [NSObject.self, MockProtocol.self, Second.self]
        let session = URLSession(configuration: configuration)
        let mocked = try await session.data(
            for: MockProtocol.request(Self.url, MockProtocol.Stage(MockProtocol.hello)))
        let other = try await session.data(from: try #require(URL(string: "own:anything")))
        #expect(mocked.0 == Data("hello".utf8) && other.0 == Data("second".utf8))
        let plain = try await MockProtocol.session().data(from: try #require(URL(string: "data:,plain")))
        #expect(plain.0 == Data("plain".utf8))
        let nobodys = URLRequest(url: try #require(URL(string: "own:anything")))
        let error = await Self.failure(of: nobodys, in: MockProtocol.session())
        #expect((error as? URLError)?.code == .unsupportedURL)
    }

    // BEHAVIOUR 2.H17
    @Test func `registered classes serve the shared session only`() async throws {
        final class Registered: URLProtocol {
            override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "registered" }
            override func startLoading() { client?.urlProtocolDidFinishLoading(self) }
        }
        let url = try #require(URL(string: "registered:x"))
        #expect(!URLProtocol.registerClass(NSObject.self))
        #expect(URLProtocol.registerClass(Registered.self))
        _ = try await URLSession.shared.data(from: url)
        #expect(await Self.failure(of: URLRequest(url: url), in: URLSession(configuration: .default)) != nil)
        URLProtocol.unregisterClass(Registered.self)
        #expect(await Self.failure(of: URLRequest(url: url), in: .shared) != nil)
    }

    // BEHAVIOUR 2.H18-canonical, 2.H20
    @Test func `the canonical request is loaded, with the session's fields`() async throws {
        final class Canonical: URLProtocol {
            override class func canInit(with request: URLRequest) -> Bool { true }
            override class func canonicalRequest(for request: URLRequest) -> URLRequest {
                var request = request
                request.setValue("yes", forHTTPHeaderField: "X-Canonical")
                return request
            }
            override func startLoading() {
                let fields = ["X-Canonical", "X-Session", "X-Own"].map { request.value(forHTTPHeaderField: $0) ?? "no" }
                let body = request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? ""
                client?.urlProtocol(self, didLoad: Data((fields + [body]).joined(separator: " ").utf8))
                client?.urlProtocolDidFinishLoading(self)
            }
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Canonical.self]
        configuration.httpAdditionalHeaders = ["X-Session": "s", "X-Own": "s"]
        var request = URLRequest(url: Sample.url)
        request.setValue("o", forHTTPHeaderField: "X-Own")
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        let (data, _) = try await URLSession(configuration: configuration).data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "yes s o body")
    }

    @Test func `properties go with a request and are no part of what it says`() {
        let request = NSMutableURLRequest(url: Sample.url)
        URLProtocol.setProperty(1, forKey: "a", in: request)
        URLProtocol.setProperty("two", forKey: "b", in: request)
        let value = request as URLRequest
        URLProtocol.removeProperty(forKey: "a", in: request)
        #expect(URLProtocol.property(forKey: "a", in: value) as? Int == 1)
        #expect(URLProtocol.property(forKey: "a", in: request as URLRequest) == nil)
        #expect(URLProtocol.property(forKey: "b", in: value) as? String == "two")
        #expect(value == URLRequest(url: Sample.url))
        #expect(URLProtocol.requestIsCacheEquivalent(value, to: URLRequest(url: Sample.url)))
    }
}

/// Also says when a task has ended.
private final class EndingSpy: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    private let spy: SpyDelegate
    private let ended: AsyncStream<Void>.Continuation

    init(
        _ name: String, _ journal: Journal, _ answers: SpyDelegate.Answers, _ ended: AsyncStream<Void>.Continuation
    ) {
        spy = SpyDelegate(name, journal, answers)
        self.ended = ended
    }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
        spy.urlSession(session, didCreateTask: task)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        spy.urlSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        spy.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        spy.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        spy.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        spy.urlSession(session, task: task, didCompleteWithError: error)
        ended.yield()
    }
}

/// Lets its task become a download, and says how that ends.
private final class Becoming: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    private let became = DispatchSemaphore(value: 0)
    let ends: AsyncStream<any Error>
    private let ended: AsyncStream<any Error>.Continuation

    override init() {
        (ends, ended) = AsyncStream<any Error>.makeStream()
        super.init()
    }

    func awaitIt() { _ = became.wait(timeout: .now() + 20) }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition { .becomeDownload }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask)
    {
        became.signal()
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error, task is URLSessionDownloadTask { ended.yield(error) }
        ended.finish()
    }
}
