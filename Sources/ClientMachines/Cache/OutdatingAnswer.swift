import HTTPBasics
import MachineContract

/// An answer that is not kept, and is what its URL has now for requests like its own (BEHAVIOUR 2.D3-withdrawn).
package struct OutdatingAnswer: Hashable, Sendable {
    package var key: CacheKey
    /// When its request set out, by the machine's clock.
    package var asked: Instant
    private var date: UnixTime
    /// The request's fields.
    private var sent: SentFields

    init(to sent: SentFields, for key: CacheKey, asked: Moment) {
        (self.sent, self.key, self.asked, date) = (sent, key, asked.instant, asked.date)
    }

    /// Whether the same request would have been given this, which was asked for no later.
    ///
    /// - Parameter keptAsked: When it was, if that is known better than by the seconds of the calendar, by which more
    ///   may be outdated than is, and nothing less.
    package func outdates(_ kept: StoredResponse, asked keptAsked: Instant? = nil) -> Bool {
        let isOlder = keptAsked.map { $0 <= asked } ?? (kept.asked <= date)
        return isOlder && kept.variant.matches(sent.all)
    }

    /// Whether nothing is outdated by the other that is not by this.
    package func covers(_ other: OutdatingAnswer) -> Bool {
        other.asked <= asked && other.date <= date && other.key == key && other.sent == sent
    }
}
