#if !BENCHMARK_FOUNDATION
import Foundation
import SessionNetworking

/// Sends a file with each request in a way of its own; one request after another.
final class FileLoader: Loader {
    enum Way: String { case multipart, stream, sliced }

    private let way: Way
    private let session: URLSession

    init(_ way: Way, _ configuration: URLSessionConfiguration) {
        self.way = way
        session = URLSession(configuration: configuration)
    }

    func load(_ exchange: Exchange, times: Int, atOnce: Int) async -> Int {
        var failed = 0
        for _ in 0..<times {
            if await (try? send(exchange)) != true { failed += 1 }
        }
        return failed
    }

    private func send(_ exchange: Exchange) async throws -> Bool {
        var request = exchange.request
        if let file = exchange.file {
            switch way {
            case .multipart:
                var form = MultipartFormData()
                try form.append(contentsOf: file, name: "file")
                request.setBody(form)
            case .stream:
                let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
                request.httpBodyStream = InputStream(url: file)
                request.setValue(String(size), forHTTPHeaderField: "Content-Length")
            case .sliced:
                let slice = request
                try await SlicedUpload(session: session, fileURL: file) { _ in slice }.run()
                return true
            }
        }
        let (data, response) = try await session.data(for: request)
        return exchange.isRight(response, data.count, nil)
    }
}
#endif
