#if !canImport(Darwin)
import ClientMachines
import Foundation
import HTTPBasics

/// How long a task took, and how each of its requests went.
///
/// Made by the session for `urlSession(_:task:didFinishCollecting:)`. Immutable; may be used from any thread.
/// Source: developer.apple.com, URLSessionTaskMetrics.
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    // Safety: immutable.

    /// Where a resource came from.
    public enum ResourceFetchType: Int, Sendable {
        /// It was never found out: the transaction ended before it had a connection.
        case unknown = 0
        /// Over the network.
        case networkLoad = 1
        /// Pushed by the server; HTTP/1.1 has no such thing.
        case serverPush = 2
        /// From the session's cache.
        case localCache = 3
    }

    /// How the name of a host was looked up.
    public enum DomainResolutionProtocol: Int, Sendable {
        /// Not known: the system's resolver does not tell.
        case unknown = 0
        /// Plain DNS over UDP.
        case udp = 1
        /// Plain DNS over TCP.
        case tcp = 2
        /// DNS over TLS.
        case tls = 3
        /// DNS over HTTPS.
        case https = 4
    }

    private let transactions: [URLSessionTaskTransactionMetrics]
    private let interval: DateInterval
    private let redirects: Int

    /// One for each request that was tried, in that order: the first, one after each redirect and each credential, one
    /// more when a request is repeated on a fresh connection. None when the task ended before its `earliestBeginDate`.
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { transactions }

    /// From the making of the task to just before its completion.
    open var taskInterval: DateInterval { interval }

    /// How many redirects were followed.
    open var redirectCount: Int { redirects }

    /// What the machines have noted of a task.
    init(_ metrics: TaskMetrics, of task: URLSessionTask, clock: ClockReading) {
        let original = task.original ?? URLRequest(RequestValues(url: nil))
        let state = task.shared.withLock { $0 }
        let isUpload = task is URLSessionUploadTask
        transactions = metrics.transactions.map { transaction in
            var sent = transaction.request
            // What an upload task sends is no part of its request.
            if isUpload { sent.body = nil }
            let request = RequestBridge.urlRequest(
                sent, basedOn: original, stream: state.bodyStreams.stream(of: sent))
            let response = transaction.response.map { state.supplied($0) ?? HTTPURLResponse($0, to: request) }
            return URLSessionTaskTransactionMetrics(transaction, request, response, clock)
        }
        let start = clock.date(of: task.created)
        interval = DateInterval(start: start, end: max(start, clock.date(of: metrics.end)))
        redirects = metrics.redirectCount
        super.init()
    }
}
#endif
