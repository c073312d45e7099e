import Foundation
import SessionNetworking

/// A session that keeps answers, and tells where each came from.
final class Reader: Sendable {
    private let session: URLSession
    private let journal = Journal()

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = URLCache()
        configuration.timeoutIntervalForRequest = 5
        session = URLSession(configuration: configuration, delegate: journal, delegateQueue: nil)
    }

    func answer(to request: URLRequest) async -> String {
        do {
            let (data, response) = try await session.data(for: request)
            let answer = response as? HTTPURLResponse
            let fields = ["ETag", "Cache-Control", "X-Cache", "Age"].map {
                "\($0)=\(answer?.value(forHTTPHeaderField: $0) ?? "")"
            }
            let sources = journal.takeSources().joined(separator: ", ")
            let text = String(decoding: data.prefix(60), as: UTF8.self)
            return "\(answer?.statusCode ?? 0) [\(sources)] \(fields.joined(separator: " ")) \(text)"
        } catch {
            return "failed [\(journal.takeSources().joined(separator: ", "))] \(error.localizedDescription)"
        }
    }
}

/// Where the answers of a task came from, as its metrics tell.
private final class Journal: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    // Safety: `sources` is behind the lock.
    private let lock = NSLock()
    private var sources: [String] = []

    /// Those since the last time.
    func takeSources() -> [String] {
        lock.withLock {
            defer { sources = [] }
            return sources
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        let found = metrics.transactionMetrics.map { transaction in
            let status = (transaction.response as? HTTPURLResponse).map { "\($0.statusCode)" } ?? "none"
            return transaction.resourceFetchType == .localCache ? "cache \(status)" : "network \(status)"
        }
        lock.withLock { sources += found }
    }
}
