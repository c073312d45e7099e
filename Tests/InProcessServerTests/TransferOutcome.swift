import Foundation
import Locks
import ScriptedServer
import SessionNetworking

/// How one task went, as far as it must not depend on what carries it.
struct TransferOutcome: Equatable, Sendable {
    var status: Int?
    var body = Data()
    var code: URLError.Code?
}

/// Collects what a delegate is told of tasks.
final class OutcomeCollector: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var outcome = TransferOutcome()
        var metrics: URLSessionTaskMetrics?
        var waiter: CheckedContinuation<TransferOutcome, Never>?
    }

    private let state = Lock(State())

    var metrics: URLSessionTaskMetrics? { state.withLock { $0.metrics } }

    /// Plays the task to its end.
    func outcome(of task: URLSessionTask) async -> TransferOutcome {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiter = continuation }
            task.delegate = self
            task.resume()
        }
    }

    func urlSession(
        _: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition {
        state.withLock { $0.outcome.status = (response as? HTTPURLResponse)?.statusCode }
        return .allow
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.outcome.body += data }
    }

    func urlSession(_: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (waiter, outcome) = state.withLock { state in
            state.outcome.code = (error as? URLError)?.code
            return (state.waiter, state.outcome)
        }
        waiter?.resume(returning: outcome)
    }
}

extension URLSession {
    /// One request, told to a delegate of its own.
    func outcome(of request: URLRequest) async -> TransferOutcome {
        await OutcomeCollector().outcome(of: dataTask(with: request))
    }

    func outcome(of url: String) async throws -> TransferOutcome {
        await outcome(of: try URLRequest.to(url))
    }
}

extension URLRequest {
    static func to(_ url: String) throws -> URLRequest {
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        return URLRequest(url: url)
    }
}
