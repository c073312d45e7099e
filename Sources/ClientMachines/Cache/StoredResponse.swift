import HTTPBasics

/// What a cache knows of a response that it keeps, but for the body.
package struct StoredResponse: Hashable, Sendable {
    /// In one piece: every use makes copies.
    private let facts: Facts
    package var variant: Variant
    /// It came over TLS, and its end was told apart from that of its connection: only then `immutable` counts
    /// (RFC 8246 3).
    package var isProtected = false

    package init(status: Int, fields: Fields, asked: UnixTime, received: UnixTime, variant: Variant = Variant()) {
        facts = Facts(status, fields, asked, received)
        self.variant = variant
    }

    package var status: Int { facts.status }
    package var fields: Fields { facts.fields }
    /// What they say of caches: read once, asked several times for each request.
    package var control: CacheControl { facts.control }
    /// When its request set out, and when its head came, by this machine's clock.
    package var asked: UnixTime { facts.asked }
    package var received: UnixTime { facts.received }
    /// When its origin made it. One that does not say so has made it when it came (RFC 9110 6.6.1).
    var date: UnixTime { facts.date }

    /// Another was asked for no earlier, and made later: of both that one is the answer (RFC 9111 4).
    package func isOlder(than other: StoredResponse) -> Bool { date < other.date && asked <= other.asked }

    /// Its origin will not change it while it is fresh.
    var isSettled: Bool { isProtected && control.immutable }
    package var entityTag: EntityTag? { fields.first("ETag").flatMap { EntityTag(parsing: $0) } }
}

extension StoredResponse {
    /// Never changes, and is shared by the copies of a response.
    private final class Facts: Hashable, Sendable {
        let status: Int
        let fields: Fields
        let asked: UnixTime
        let received: UnixTime
        /// These two follow from the others.
        let control: CacheControl
        let date: UnixTime

        init(_ status: Int, _ fields: Fields, _ asked: UnixTime, _ received: UnixTime) {
            (self.status, self.fields, self.asked, self.received) = (status, fields, asked, received)
            control = CacheControl(ofResponse: fields)
            date = fields.first("Date").flatMap { HTTPDate.parse($0, now: received) } ?? received
        }

        static func == (left: Facts, right: Facts) -> Bool {
            left === right
                || left.status == right.status && left.fields == right.fields && left.asked == right.asked
                    && left.received == right.received
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(status)
            hasher.combine(received)
        }
    }
}
