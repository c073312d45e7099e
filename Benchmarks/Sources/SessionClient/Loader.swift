import Foundation

#if BENCHMARK_FOUNDATION
import FoundationNetworking
#else
import SessionNetworking
#endif

/// A session and a way to use it.
protocol Loader: Sendable {
    /// Makes so many requests, some of them at once, and returns how many went wrong.
    func load(_ exchange: Exchange, times: Int, atOnce: Int) async -> Int
}

/// A GET, or a PUT of a file, and what a right answer to it looks like.
struct Exchange: Sendable {
    var url: URL
    var body: Int
    /// What it sends.
    var file: URL?

    init?(_ base: UnsafePointer<CChar>, _ path: UnsafePointer<CChar>, body: Int, file: URL? = nil) {
        self.file = file
        guard let url = URL(string: String(cString: base) + String(cString: path)) else { return nil }
        self.url = url
        self.body = body
    }

    var request: URLRequest {
        var request = URLRequest(url: url)
        if file != nil { request.httpMethod = "PUT" }
        return request
    }

    func isRight(_ response: URLResponse?, _ bytes: Int, _ error: (any Error)?) -> Bool {
        error == nil && bytes == body && (response as? HTTPURLResponse)?.statusCode == 200
    }
}
