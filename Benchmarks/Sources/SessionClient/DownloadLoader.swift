import Foundation
import Synchronization

#if BENCHMARK_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

/// Downloads into files, which go when the delegate has looked at their size.
final class DownloadLoader: Loader {
    private let sizer = Sizer()
    private let session: URLSession

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: sizer, delegateQueue: nil)
    }

    func load(_ exchange: Exchange, times: Int, atOnce: Int) async -> Int {
        let tally = Tally(exchange, times)
        sizer.tally.withLock { $0 = tally }
        return await tally.run { for _ in 0..<atOnce { sizer.startNext(session, tally) } }
    }

    private final class Sizer: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
        // Safety: `size` is touched on the delegate queue only.
        private var size = 0
        let tally = Mutex<Tally?>(nil)

        func startNext(_ session: URLSession, _ tally: Tally) {
            if tally.next() { session.downloadTask(with: tally.exchange.request).resume() }
        }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {
            size = (try? FileManager.default.attributesOfItem(atPath: location.path)[.size] as? Int) ?? 0
            try? FileManager.default.removeItem(at: location)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            guard let tally = tally.withLock({ $0 }) else { return }
            let isRight = tally.exchange.isRight(task.response, size, error)
            startNext(session, tally)
            tally.done(isRight)
        }
    }
}
