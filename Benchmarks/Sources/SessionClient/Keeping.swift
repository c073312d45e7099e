#if !BENCHMARK_FOUNDATION
import Foundation
import SessionNetworking

/// What a session of `DelegateLoader` keeps of answers; $KEPT is a directory for it.
enum Keeping: String {
    /// Nothing of these, but it looks for them, in memory and on disk, where there is something else.
    case cached
    case memory
    case disk

    static var place: URL { URL(fileURLWithPath: ProcessInfo.processInfo.environment["KEPT"] ?? "") }

    func configure(_ configuration: URLSessionConfiguration) {
        let memory = self == .disk ? 0 : 4 << 20, disk = self == .memory ? 0 : 100 << 20
        let cache = URLCache(memoryCapacity: memory, diskCapacity: disk, directory: Self.place)
        configuration.urlCache = cache
        guard self == .cached, let url = URL(string: "http://other.test/") else { return }
        let fields = ["Cache-Control": "max-age=3600"]
        if let answer = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields) {
            cache.storeCachedResponse(
                CachedURLResponse(response: answer, data: Data("other".utf8)), for: URLRequest(url: url))
            _ = cache.currentDiskUsage
        }
    }
}

/// Reads a file as long as the body, which is what an answer from disk is measured by.
struct FileReader: Loader {
    func load(_ exchange: Exchange, times: Int, atOnce: Int) async -> Int {
        let path = Keeping.place.appendingPathComponent("body")
        guard (try? Data(count: exchange.body).write(to: path)) != nil else { return times }
        var failed = 0
        for _ in 0..<times where (try? Data(contentsOf: path))?.count != exchange.body { failed += 1 }
        return failed
    }
}
#endif
