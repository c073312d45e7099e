import HTTPBasics
import TLSBasics

/// One entry of the server's journal.
package struct ServerEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case accepted
        /// A request head was read and matched against the script.
        indirect case request(RecordedRequest)
        /// What a lenient reader has passed over in the request's head.
        indirect case noted(String)
        /// The body of the exchange's request is complete as far as the script reads it.
        indirect case requestBody(RecordedBody)
        /// An upload that the server keeps is complete, over however many requests it came.
        indirect case uploaded(path: String, RecordedBody)
        case answered(status: Int)
        indirect case faulted(Fault)
        /// Whether a fault with a probability happens in this exchange, and the seed that decided it.
        indirect case drew(Fault, happens: Bool, seed: UInt64)
        /// The connection goes on as one to this host, by way of a proxy.
        indirect case tunnelled(host: String)
        /// The client ended the connection in the midst of a request, of which so many bytes had come.
        case brokenOff(RequestPart, bytes: Int)
        /// The connection could not be secured, or is not secure any more.
        indirect case secureFailed(TLSFailure)
        /// The connection ended; by whom.
        case closed(byClient: Bool)
        /// The script was violated: always a failure of the case.
        indirect case violation(Violation)
        /// Every step is consumed.
        case exhausted
        /// The round ends here, though its script is not consumed.
        indirect case abandoned(Abandonment)
        /// A consumed or abandoned script begins anew: all before was another round.
        case startedOver

        /// Of the answers to a request, the one that counts: informational ones precede it.
        package var isFinalAnswer: Bool {
            if case .answered(let status) = self { status >= 200 || status == 101 } else { false }
        }
    }

    package enum RequestPart: String, Hashable, Sendable { case head, body }

    package var peer: PeerID
    /// Exchange on that connection, from 0.
    package var exchange: Int
    package var instant: Instant
    package var kind: Kind
    /// Empty for the one without a name.
    package var scope: String

    package init(peer: PeerID, exchange: Int, instant: Instant, kind: Kind, scope: String = "") {
        self.peer = peer
        self.exchange = exchange
        self.instant = instant
        self.kind = kind
        self.scope = scope
    }
}

/// A request as the strict reader saw it. Authorization values are replaced by their scheme.
package struct RecordedRequest: Hashable, Sendable {
    package var method: String
    package var target: String
    package var fields: Fields
    package var lane: String?
    package var host: String

    package init(method: String, target: String, fields: Fields, lane: String?, host: String) {
        self.method = method
        self.target = target
        self.fields = fields
        self.lane = lane
        self.host = host
    }
}

/// A request body, whole up to a bound; beyond it the count and a checksum.
package struct RecordedBody: Hashable, Sendable {
    package var prefix: [UInt8]
    package var count: Int
    /// FNV-1a over all bytes, to compare bodies too large to keep.
    package var checksum: UInt64

    package init(prefix: [UInt8], count: Int, checksum: UInt64) {
        self.prefix = prefix
        self.count = count
        self.checksum = checksum
    }
}

/// What the client did that the script does not allow, with what came closest.
package struct Violation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// No message by RFC 9112.
        case malformed
        case unscripted
    }

    package var kind: Kind
    package var summary: String
    /// The step or route that came closest, and each condition that failed.
    package var nearest: SourceMark?
    package var differences: [String]
    /// The steps and routes that came closest, the nearest first.
    package var closest: [Candidate]

    /// A step or a route that did not take a request, and why.
    package struct Candidate: Hashable, Sendable {
        package var title: String
        package var mark: SourceMark?
        package var differences: [String]
    }

    package init(
        _ summary: String, kind: Kind = .unscripted, nearest: SourceMark? = nil, differences: [String] = [],
        closest: [Candidate] = []
    ) {
        self.kind = kind
        self.closest = closest
        self.summary = summary
        self.nearest = nearest
        self.differences = differences
    }
}
