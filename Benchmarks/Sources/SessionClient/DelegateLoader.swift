import Foundation
import Synchronization

#if BENCHMARK_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

/// The same with a session delegate that takes response, data and completion, and only counts the bytes.
final class DelegateLoader: Loader {
    private let counter = Counter()
    private let session: URLSession

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: counter, delegateQueue: nil)
    }

    func load(_ exchange: Exchange, times: Int, atOnce: Int) async -> Int {
        let tally = Tally(exchange, times)
        counter.tally.withLock { $0 = tally }
        return await tally.run { for _ in 0..<atOnce { counter.startNext(session, tally) } }
    }

    private final class Counter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        // Safety: `received` is touched on the delegate queue only.
        private var received: [Int: Int] = [:]
        let tally = Mutex<Tally?>(nil)

        func startNext(_ session: URLSession, _ tally: Tally) {
            if tally.next() { session.dataTask(with: tally.exchange.request).resume() }
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            received[dataTask.taskIdentifier, default: 0] += data.count
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let bytes = received.removeValue(forKey: task.taskIdentifier) ?? 0
            guard let tally = tally.withLock({ $0 }) else { return }
            startNext(session, tally)
            tally.done(tally.exchange.isRight(task.response, bytes, error))
        }
    }
}
