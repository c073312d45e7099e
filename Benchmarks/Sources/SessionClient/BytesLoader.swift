#if !BENCHMARK_FOUNDATION
import Foundation
import SessionNetworking

/// Reads bodies byte by byte, one after another. FoundationNetworking has no such thing.
final class BytesLoader: Loader {
    private let session: URLSession

    init(_ configuration: URLSessionConfiguration) { session = URLSession(configuration: configuration) }

    func load(_ exchange: Exchange, times: Int, atOnce: Int) async -> Int {
        var failed = 0
        for _ in 0..<times {
            do {
                let (bytes, response) = try await session.bytes(for: exchange.request)
                var (count, sum) = (0, UInt8(0))
                for try await byte in bytes {
                    count += 1
                    sum ^= byte
                }
                // The server's bodies have an even number of equal bytes.
                if sum != 0 || !exchange.isRight(response, count, nil) { failed += 1 }
            } catch {
                failed += 1
            }
        }
        return failed
    }
}
#endif
