import HTTPBasics
import MachineContract

/// An answer that is not kept, and is what its URL has now for requests like its own (BEHAVIOUR 2.D3-withdrawn).
package struct OutdatingAnswer: Hashable, Sendable {
    package var key: CacheKey
    /// When its request set out, by the machine's clock.
    package var asked: Instant
    private var date: UnixTime
    /// The request's fields.
    private var sent: Fields

    init(to sent: Fields, for key: CacheKey, asked: Moment) {
        (self.sent, self.key, self.asked, date) = (sent, key, asked.instant, asked.date)
    }

    /// Whether the same request would have been given this, which is no newer.
    package func outdates(_ kept: StoredResponse) -> Bool { kept.variant.matches(sent) && kept.asked <= date }
}
