import HTTPBasics

/// What a cache knows of a response that it keeps, but for the body.
package struct StoredResponse: Hashable, Sendable {
    package let status: Int
    package let fields: Fields
    /// What they say of caches: read once, asked several times for each request.
    package let control: CacheControl
    /// When its request set out, and when its head came, by this machine's clock.
    package let asked: UnixTime
    package let received: UnixTime
    /// When its origin made it. One that does not say so has made it when it came (RFC 9110 6.6.1).
    let date: UnixTime
    package var variant: Variant
    /// It came over TLS, and its end was told apart from that of its connection: only then `immutable` counts
    /// (RFC 8246 3).
    package var isProtected = false

    package init(status: Int, fields: Fields, asked: UnixTime, received: UnixTime, variant: Variant = Variant()) {
        self.status = status
        self.fields = fields
        control = CacheControl(ofResponse: fields)
        date = fields.first("Date").flatMap { HTTPDate.parse($0, now: received) } ?? received
        self.asked = asked
        self.received = received
        self.variant = variant
    }

    /// Another was asked for no earlier, and made later: of both that one is the answer (RFC 9111 4).
    package func isOlder(than other: StoredResponse) -> Bool { date < other.date && asked <= other.asked }

    /// Its origin will not change it while it is fresh.
    var isSettled: Bool { isProtected && control.immutable }
    package var entityTag: EntityTag? { fields.first("ETag").flatMap { EntityTag(parsing: $0) } }
}
