import HTTPBasics
import ScenarioFormat

/// What a task's metrics said. Dates are counted from the task's making.
package struct SeenMetrics: Hashable, Sendable {
    package struct Transaction: Hashable, Sendable {
        /// `METHOD /target`
        package var request: String
        package var status: Int?
        package var isReused = false
        package var isProxied = false
        /// Where its answer came from.
        package var source = "unknown"
        package var protocolName: String?
        /// `1.3`; nil without TLS.
        package var tls: String?
        /// `v6`, `v4`; nil without a connection.
        package var family: String?
        package var dates: [TransactionDate: Instant] = [:]
        package var sent = 0
        package var sentPlain = 0
        package var received = 0
        package var receivedPlain = 0
        package var sentHead = 0
        package var receivedHead = 0

        package init(request: String) { self.request = request }

        /// The phases that came to their end, in order.
        var phases: [TransactionPhase] {
            TransactionPhase.allCases.filter { dates[$0.start] != nil && dates[$0.end] != nil }
        }

        /// Those that began and did not end.
        var unfinished: [TransactionPhase] {
            TransactionPhase.allCases.filter { dates[$0.start] != nil && dates[$0.end] == nil }
        }
    }

    package var redirects: Int
    package var transactions: [Transaction]
    /// When the task was over.
    package var end: Instant

    package init(redirects: Int, transactions: [Transaction], end: Instant) {
        self.redirects = redirects
        self.transactions = transactions
        self.end = end
    }

    func instant(of date: TransactionDate, in index: Int) -> Instant? {
        transactions.indices.contains(index) ? transactions[index].dates[date] : nil
    }
}

// MARK: - Comparison

extension EventMatch {
    /// Why these are not the metrics that are meant; nil when they are.
    func metricsDifference(_ event: SeenEvent) -> String? {
        guard redirects != nil || transactions != nil else { return nil }
        guard let seen = event.metrics else { return "nothing was measured" }
        if let redirects, redirects != seen.redirects {
            return "redirects: expected \(redirects), got \(seen.redirects)"
        }
        guard let transactions else { return nil }
        for (index, pair) in zip(transactions, seen.transactions).enumerated() {
            if let difference = pair.0.difference(from: pair.1) { return "transactions[\(index)]: \(difference)" }
        }
        guard transactions.count != seen.transactions.count else { return nil }
        return "transactions: expected \(transactions.count), got \(seen.transactions.count)"
    }
}

extension TransactionMatch {
    func difference(from seen: SeenMetrics.Transaction) -> String? {
        let wantedStatus = status.map { wanted in
            if case .exactly(let code) = wanted { String(code) } else { "none" }
        }
        let differences: [String?] = [
            compare("request", request, seen.request), compare("status", wantedStatus, seen.status.map(String.init)),
            compare("reused", isReused.map(Self.word), Self.word(seen.isReused)),
            compare("proxied", isProxied.map(Self.word), Self.word(seen.isProxied)),
            compare("from", source, seen.source),
            compare("protocol", protocolName, seen.protocolName),
            compare("family", family, seen.family), compare("tls", tls, seen.tls),
            compare("phases", phases.map(Self.words), Self.words(seen.phases)),
            compare("unfinished", unfinished.map(Self.words), Self.words(seen.unfinished)),
            compare("sent", sent.map(String.init), String(seen.sent)),
            compare("sent-plain", sentPlain.map(String.init), String(seen.sentPlain)),
            compare("received", received.map(String.init), String(seen.received)),
            compare("received-plain", receivedPlain.map(String.init), String(seen.receivedPlain)),
            compare("sent-head", sentHead.map(String.init), String(seen.sentHead)),
            compare("received-head", receivedHead.map(String.init), String(seen.receivedHead)),
        ]
        return differences.lazy.compactMap { $0 }.first
    }

    private func compare(_ name: String, _ wanted: String?, _ got: String?) -> String? {
        guard let wanted, wanted != got ?? "none" else { return nil }
        return "\(name): expected \(wanted), got \(got ?? "none")"
    }

    private static func word(_ isTrue: Bool) -> String { isTrue ? "yes" : "no" }

    private static func words(_ phases: [TransactionPhase]) -> String {
        "[\(phases.map(\.rawValue).joined(separator: ", "))]"
    }
}

// MARK: - Text

extension SeenMetrics.Transaction {
    /// `GET /a 200 reused`
    var outline: String {
        "\(request) \(status.map(String.init) ?? "none")\(isReused ? " reused" : "")"
    }
}
