import HTTPBasics
import TLSBasics

/// How a task's transfers went: one transaction for each request that was tried (BEHAVIOUR 2.G2).
///
/// A class, so that the call which carries it stays small.
package final class TaskMetrics: Hashable, Sendable {
    /// In the order in which they began; none for a task that ended before its date had come.
    package let transactions: [Transaction]
    package let redirectCount: Int
    /// When the task was over.
    package let end: Instant

    package init(transactions: [Transaction], redirectCount: Int, end: Instant) {
        self.transactions = transactions
        self.redirectCount = redirectCount
        self.end = end
    }

    package static func == (left: TaskMetrics, right: TaskMetrics) -> Bool {
        left === right
            || left.transactions == right.transactions && left.redirectCount == right.redirectCount
                && left.end == right.end
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(transactions.count)
        hasher.combine(end)
    }
}

/// One request and what came of it.
///
/// A phase is nil when it was not reached, or does not exist: no name is looked up for a connection that is used again
/// (BEHAVIOUR 2.G3).
package struct Transaction: Hashable, Sendable {
    /// From one instant to another; without the latter it began and did not end.
    package struct Phase: Hashable, Sendable {
        package var start: Instant
        package var end: Instant?

        package init(start: Instant, end: Instant? = nil) {
            self.start = start
            self.end = end
        }

        /// What of it came after an instant.
        func clamped(to instant: Instant) -> Phase? {
            if let end, end < instant { return nil }
            return Phase(start: max(start, instant), end: end)
        }
    }

    /// The connection that carried it.
    package struct Carrier: Hashable, Sendable {
        package var isReused: Bool
        package var local: NetworkAddress?
        package var remote: NetworkAddress?
        package var isMultipath: Bool
        package var security: TLSFacts?

        package init(
            isReused: Bool, local: NetworkAddress? = nil, remote: NetworkAddress? = nil, isMultipath: Bool = false,
            security: TLSFacts? = nil
        ) {
            self.isReused = isReused
            self.security = security
            self.local = local
            self.remote = remote
            self.isMultipath = isMultipath
        }
    }

    /// Bytes of one direction.
    package struct Bytes: Hashable, Sendable {
        /// Start line and fields; of informational answers, too.
        package var head: Int64 = 0
        /// The body as it went over the wire, chunk framing and codings included.
        package var body: Int64 = 0
        /// The body as the user knows it.
        package var plainBody: Int64 = 0

        package init(head: Int64 = 0, body: Int64 = 0, plainBody: Int64 = 0) {
            self.head = head
            self.body = body
            self.plainBody = plainBody
        }
    }

    package var request: ClientRequest
    package var response: Response?
    package var fetchStart: Instant
    package var lookup: Phase?
    package var connect: Phase?
    /// The last part of `connect`, where there is TLS.
    package var secure: Phase?
    package var sending: Phase?
    package var receiving: Phase?
    package var carrier: Carrier?
    /// There is a proxy between us and the server, whether it was reached or not.
    package var isProxied = false
    /// The answer came from the session's cache.
    package var isFromCache = false
    package var sent = Bytes()
    package var received = Bytes()

    package init(_ request: ClientRequest, fetchStart: Instant) {
        self.request = request
        self.fetchStart = fetchStart
    }
}
