import Foundation
import ScriptedServer
import SessionNetworking
import Synchronization
import TestSupport
import Testing

// snippet
final class Loader: NSObject, URLSessionDataDelegate {
    private let body = Mutex(Data())
    private let finished: @Sendable (Data, (any Error)?) -> Void

    init(finished: @escaping @Sendable (Data, (any Error)?) -> Void) { self.finished = finished }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition {
        // Nothing more is told of the task until this returns.
        (response as? HTTPURLResponse)?.statusCode == 200 ? .allow : .cancel
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        body.withLock { $0.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // Once, and last.
        finished(body.withLock { $0 }, error)
    }
}
// end

@Suite(.endsInTime) struct DelegateSnippets {
    @Test(arguments: [("/there", "hello", false), ("/gone", "", true)])
    func `a delegate hears response, data and the end`(path: String, body: String, fails: Bool) async throws {
        let server = try await ScriptedServer.start {
            $0.route("GET", "/there", reply: "hello")
            $0.route("GET", "/gone", reply: .status(404, "no"))
        }
        let url = try #require(URL(string: server.url + path))
        let (data, error) = await withCheckedContinuation { continuation in
            let loader = Loader { data, error in continuation.resume(returning: (data, error)) }
            // snippet
            let session = URLSession(configuration: .default, delegate: loader, delegateQueue: nil)
            session.dataTask(with: url).resume()
            session.finishTasksAndInvalidate()
            // end
        }
        #expect(String(decoding: data, as: UTF8.self) == body)
        #expect((error != nil) == fails)
        try await server.stop()
    }
}
