import ServerScript

/// One transaction of a task's metrics with the properties that matter; nil properties are not compared.
package struct TransactionMatch: Hashable, Sendable {
    /// `METHOD /target`
    package var request: String?
    package var status: Status?
    package var isReused: Bool?
    package var isProxied: Bool?
    /// `network`, `cache`, `unknown`.
    package var source: String?
    /// `none` stands for no connection.
    package var protocolName: String?
    /// Of the address at the other end; `none` stands for no connection.
    package var family: String?
    /// `1.3`; `none` stands for no TLS.
    package var tls: String?
    /// All phases that came to their end, in order.
    package var phases: [TransactionPhase]?
    /// All phases that began and did not end.
    package var unfinished: [TransactionPhase]?
    /// Bytes of the request's body: on the wire, and without framing.
    package var sent: Int?
    package var sentPlain: Int?
    /// Bytes of the response's body: on the wire, and as the caller was given them.
    package var received: Int?
    package var receivedPlain: Int?
    /// Bytes of the heads.
    package var sentHead: Int?
    package var receivedHead: Int?
    package var mark: SourceMark

    package enum Status: Hashable, Sendable {
        case none
        case exactly(Int)
    }

    package init(mark: SourceMark) { self.mark = mark }
}

/// The points in time that metrics know, named after the properties of `URLSessionTaskTransactionMetrics`.
package enum TransactionDate: String, Hashable, Sendable, CaseIterable {
    case fetchStart, domainLookupStart, domainLookupEnd, connectStart, connectEnd, requestStart, requestEnd,
        responseStart, responseEnd, secureConnectionStart, secureConnectionEnd
}

/// What lies between two of them.
package enum TransactionPhase: String, Hashable, Sendable, CaseIterable {
    case lookup, connect, secure, request, response

    package var start: TransactionDate {
        switch self {
        case .lookup: .domainLookupStart
        case .connect: .connectStart
        case .secure: .secureConnectionStart
        case .request: .requestStart
        case .response: .responseStart
        }
    }

    package var end: TransactionDate {
        switch self {
        case .lookup: .domainLookupEnd
        case .connect: .connectEnd
        case .secure: .secureConnectionEnd
        case .request: .requestEnd
        case .response: .responseEnd
        }
    }
}
