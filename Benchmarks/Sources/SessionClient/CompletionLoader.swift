import Foundation

#if BENCHMARK_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

/// Every answer starts the next request.
final class CompletionLoader: Loader {
    private let session: URLSession

    init(_ configuration: URLSessionConfiguration) { session = URLSession(configuration: configuration) }

    func load(_ exchange: Exchange, times: Int, atOnce: Int) async -> Int {
        let tally = Tally(exchange, times)
        return await tally.run { for _ in 0..<atOnce { startNext(tally) } }
    }

    private func startNext(_ tally: Tally) {
        guard tally.next() else { return }
        session.dataTask(with: tally.exchange.request) { [self] data, response, error in
            startNext(tally)
            tally.done(tally.exchange.isRight(response, data?.count ?? 0, error))
        }.resume()
    }
}
