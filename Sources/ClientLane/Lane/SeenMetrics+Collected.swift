import Foundation
import HTTPBasics
import Judge
import ScenarioFormat

extension SeenMetrics {
    /// What the public objects say.
    init(_ metrics: URLSessionTaskMetrics, for player: ClientLanePlayer) {
        let start = metrics.taskInterval.start
        self.init(
            redirects: metrics.redirectCount,
            transactions: metrics.transactionMetrics.map { Transaction($0, since: start, player) },
            end: Instant(metrics.taskInterval.end, since: start))
    }
}

extension SeenMetrics.Transaction {
    fileprivate init(_ seen: URLSessionTaskTransactionMetrics, since start: Date, _ player: ClientLanePlayer) {
        let url = seen.request.url.map { player.origins.scenarioText(of: $0) } ?? "?"
        self.init(request: "\(seen.request.httpMethod ?? "GET") \(url)")
        status = (seen.response as? HTTPURLResponse)?.statusCode
        isReused = seen.isReusedConnection
        isProxied = seen.isProxyConnection
        source =
            switch seen.resourceFetchType {
            case .networkLoad: "network"
            case .localCache: "cache"
            default: "unknown"
            }
        protocolName = seen.networkProtocolName
        tls = LaneSession.tlsVersion(of: seen)?.word
        family = seen.remoteAddress.map { $0.contains(":") ? "v6" : "v4" }
        for date in TransactionDate.allCases { dates[date] = seen[date].map { Instant($0, since: start) } }
        sent = Int(clamping: seen.countOfRequestBodyBytesSent)
        sentPlain = Int(clamping: seen.countOfRequestBodyBytesBeforeEncoding)
        received = Int(clamping: seen.countOfResponseBodyBytesReceived)
        receivedPlain = Int(clamping: seen.countOfResponseBodyBytesAfterDecoding)
        sentHead = Int(clamping: seen.countOfRequestHeaderBytesSent)
        receivedHead = Int(clamping: seen.countOfResponseHeaderBytesReceived)
    }
}

extension URLSessionTaskTransactionMetrics {
    fileprivate subscript(date: TransactionDate) -> Date? {
        switch date {
        case .fetchStart: fetchStartDate
        case .domainLookupStart: domainLookupStartDate
        case .domainLookupEnd: domainLookupEndDate
        case .connectStart: connectStartDate
        case .connectEnd: connectEndDate
        case .secureConnectionStart: secureConnectionStartDate
        case .secureConnectionEnd: secureConnectionEndDate
        case .requestStart: requestStartDate
        case .requestEnd: requestEndDate
        case .responseStart: responseStartDate
        case .responseEnd: responseEndDate
        }
    }
}

extension Instant {
    /// To the microsecond: a date is a floating-point number that holds no more.
    fileprivate init(_ date: Date, since start: Date) {
        self.init(nanoseconds: Int64((date.timeIntervalSince(start) * 1e6).rounded()) * 1000)
    }
}
