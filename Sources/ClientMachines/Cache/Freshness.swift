import HTTPBasics

/// How old a kept response is, and how long it may be used without asking (RFC 9111 4.2).
package struct Freshness: Hashable, Sendable {
    package let age: Duration
    package let lifetime: Duration

    package var isFresh: Bool { lifetime > age }
    /// 0 while it is fresh.
    package var staleness: Duration { max(.zero, age - lifetime) }

    /// The part of the time since a response was last changed for which it is taken to stay the same: what RFC 9111
    /// 4.2.2 calls typical.
    private static let heuristicPart = 10

    package init(of response: StoredResponse, at now: UnixTime) {
        age = Freshness.age(of: response, at: now)
        lifetime = Freshness.lifetime(of: response)
    }

    /// RFC 9111 4.2.3. A clock that was set back says nothing any more: then it is as old as can be.
    private static func age(of response: StoredResponse, at now: UnixTime) -> Duration {
        let kept = span(from: response.received, to: now), delay = span(from: response.asked, to: response.received)
        guard kept >= .zero else { return CacheControl.longest }
        let apparent = max(.zero, span(from: response.date, to: response.received))
        let corrected = declaredAge(response.fields) + max(.zero, delay)
        return min(max(apparent, corrected) + kept, CacheControl.longest)
    }

    /// The first of several counts; what is no number is left out (RFC 9111 5.1).
    private static func declaredAge(_ fields: Fields) -> Duration {
        fields.joined("Age")?.listMembers.first.flatMap { CacheControl.span($0.trimmingWhitespace) } ?? .zero
    }

    /// RFC 9111 4.2.1: what cannot be read is stale.
    private static func lifetime(of response: StoredResponse) -> Duration {
        switch response.control.maxAge {
        case .count(let span): return span
        case .unreadable: return .zero
        case nil: break
        }
        guard let expires = response.fields.first("Expires") else { return heuristic(for: response) }
        guard let end = HTTPDate.parse(expires, now: response.received) else { return .zero }
        return min(max(.zero, span(from: response.date, to: end)), CacheControl.longest)
    }

    private static func heuristic(for response: StoredResponse) -> Duration {
        guard isHeuristicallyCacheable(response.status) || response.control.isPublic,
            let text = response.fields.first("Last-Modified"),
            let modified = HTTPDate.parse(text, now: response.received)
        else { return .zero }
        return min(max(.zero, span(from: modified, to: response.date)) / heuristicPart, CacheControl.longest)
    }

    /// RFC 9110 15.1, but for 206.
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    private static func span(from start: UnixTime, to end: UnixTime) -> Duration {
        .seconds(end.seconds) - .seconds(start.seconds)
    }
}
