import Foundation

#if BENCHMARK_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

/// As many Swift tasks as there shall be requests at once, each loading one after another.
final class AsyncLoader: Loader {
    private let session: URLSession

    init(_ configuration: URLSessionConfiguration) { session = URLSession(configuration: configuration) }

    func load(_ exchange: Exchange, times: Int, atOnce: Int) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for index in 0..<atOnce {
                let share = times / atOnce + (index < times % atOnce ? 1 : 0)
                group.addTask { [session] in await Self.load(exchange, times: share, session) }
            }
            return await group.reduce(0, +)
        }
    }

    private static func load(_ exchange: Exchange, times: Int, _ session: URLSession) async -> Int {
        var failed = 0
        for _ in 0..<times {
            do {
                let (data, response) = try await session.data(for: exchange.request)
                if !exchange.isRight(response, data.count, nil) { failed += 1 }
            } catch {
                failed += 1
            }
        }
        return failed
    }
}
