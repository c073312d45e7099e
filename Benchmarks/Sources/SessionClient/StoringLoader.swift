#if !BENCHMARK_FOUNDATION
import Foundation
import Measure
import SessionNetworking

/// One request after another, each with its time; in between many answers go into a cache of 50 MB, if that is wanted.
final class StoringLoader: Loader {
    enum Way: String { case quiet, storing }

    /// With 20,000 requests, 100,000.
    private static let answersPerRequest = 5

    private let session: URLSession
    private let cache: URLCache?

    init(_ way: Way, _ configuration: URLSessionConfiguration) {
        if way == .storing {
            cache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 50 << 20, directory: Keeping.place)
            configuration.urlCache = cache
        } else {
            cache = nil
        }
        session = URLSession(configuration: configuration)
    }

    func load(_ exchange: Exchange, times: Int, atOnce: Int) async -> Int {
        var failed = 0
        var spans: [Duration] = []
        for number in 0..<times {
            let start = ContinuousClock.now
            let answer = try? await session.data(for: exchange.request)
            spans.append(.now - start)
            if !exchange.isRight(answer?.1, answer?.0.count ?? 0, nil) { failed += 1 }
            store(Self.answersPerRequest * number)
        }
        spans.sort()
        if let median = spans.dropFirst(times / 2).first, let tail = spans.dropFirst(times / 100 * 99).first {
            measure_times(Int(median / .microseconds(1)), Int(tail / .microseconds(1)))
        }
        return failed
    }

    private func store(_ first: Int) {
        guard let cache else { return }
        for number in first..<first + Self.answersPerRequest {
            guard let url = URL(string: "http://other.test/\(number)"),
                let answer = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil, headerFields: ["Cache-Control": "max-age=3600"])
            else { continue }
            cache.storeCachedResponse(
                CachedURLResponse(response: answer, data: Data(count: 400)), for: URLRequest(url: url))
        }
    }
}
#endif
