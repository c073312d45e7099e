import Foundation
import Locks

@testable import SessionNetworking

/// A protocol class as tests write them: it answers `mock.test` with what its script says.
///
/// The script goes with the request, as a property, so that tests can run side by side.
final class MockProtocol: URLProtocol, @unchecked Sendable {
    // Safety: what it adds is immutable.

    typealias Script = @Sendable (MockProtocol, any URLProtocolClient) -> Void

    /// What one test's requests are answered with, and what its objects were told.
    final class Stage: Sendable {
        let script: Script
        /// What an object says before it is started.
        let prologue: Script?
        let journal = Journal()
        private let objects = Lock(0)
        private let stopped = DispatchSemaphore(value: 0)

        init(prologue: Script? = nil, _ script: @escaping Script) { (self.prologue, self.script) = (prologue, script) }

        /// How many objects there were so far.
        var made: Int { objects.withLock { $0 } }

        func noteMade() { objects.withLock { $0 += 1 } }

        func noteStop() {
            journal.note("stop")
            stopped.signal()
        }

        /// False when nobody is stopped for a long time.
        func awaitStop() -> Bool { stopped.wait(timeout: .now() + 20) == .success }
    }

    static func request(_ text: String, _ stage: Stage) -> URLRequest {
        let request = NSMutableURLRequest(url: URL(string: text) ?? Sample.url)
        URLProtocol.setProperty(stage, forKey: "stage", in: request)
        return request as URLRequest
    }

    static func session(delegate: (any URLSessionDelegate)? = nil, cache: URLCache? = nil) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = cache
        configuration.protocolClasses = [MockProtocol.self]
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    var stage: Stage? { URLProtocol.property(forKey: "stage", in: request) as? Stage }

    required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
        super.init(request: request, cachedResponse: cachedResponse, client: client)
        stage?.noteMade()
        if let client { stage?.prologue?(self, client) }
    }

    override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "mock.test" }

    override func startLoading() {
        stage?.journal.note("start \(request.url?.path ?? "")")
        if let client { stage?.script(self, client) }
    }

    override func stopLoading() { stage?.noteStop() }

    // MARK: - Scripts

    func respond(_ status: Int = 200, _ fields: [String: String] = [:]) {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func load(_ text: String) { client?.urlProtocol(self, didLoad: Data(text.utf8)) }

    func finish() { client?.urlProtocolDidFinishLoading(self) }

    static let hello: Script = { mock, _ in
        mock.respond(200, ["Content-Length": "5", "X-Mock": "yes"])
        mock.load("he")
        mock.load("llo")
        mock.finish()
    }
}
