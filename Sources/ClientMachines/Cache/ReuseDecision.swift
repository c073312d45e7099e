import HTTPBasics

/// What becomes of a request, given what the cache has for it (RFC 9111 4).
package enum ReuseDecision: Hashable, Sendable {
    /// The kept response is the answer.
    case use
    /// With these fields the server is asked whether the kept response is still right.
    case validate(Fields)
    /// The server is asked as if nothing were kept; its answer may be kept.
    case load
    /// The same, and the cache has nothing to do with the answer.
    case bypass
    /// There is no answer: the caller wants none from the network.
    case unavailable

    /// - Parameter stored: What is kept for this URL, and of whose variant the request is.
    package static func decide(
        _ policy: CacheRule, method: String, fields: Fields, stored: StoredResponse?, at now: UnixTime
    ) -> ReuseDecision {
        let request = CacheControl(ofRequest: fields)
        let isOffline = policy == .returnDontLoad || request.onlyIfCached
        guard concerns(method: method, fields: fields) else { return isOffline ? .unavailable : .bypass }
        guard let stored else { return isOffline ? .unavailable : .load }
        switch policy {
        case .reloadIgnoringLocal, .reloadIgnoringLocalAndRemote: return request.onlyIfCached ? .unavailable : .load
        case .returnElseLoad, .returnDontLoad: return .use
        case .reloadRevalidating:
            let isFresh = Freshness(of: stored, at: now).isFresh
            if stored.isSettled, isFresh, mayBeUsed(stored, by: request, at: now) { return .use }
        case .useProtocol:
            if mayBeUsed(stored, by: request, at: now) { return .use }
        }
        if isOffline { return .unavailable }
        return ConditionalFields.of(stored).map { .validate($0) } ?? .load
    }

    /// Whether a kept response can be the answer at all, whatever it is.
    package static func concerns(method: String, fields: Fields) -> Bool {
        guard method == "GET" || method == "HEAD" else { return false }
        return fields.isEmpty
            || !fields.contains("Range") && !ConditionalFields.names.contains(where: fields.contains)
    }

    private static func mayBeUsed(_ stored: StoredResponse, by request: CacheControl, at now: UnixTime) -> Bool {
        let control = stored.control, freshness = Freshness(of: stored, at: now)
        guard !control.noCache, !request.noCache else { return false }
        switch request.maxAge {
        case .count(let limit) where freshness.age > limit: return false
        case .unreadable: return false
        default: break
        }
        switch request.minFresh {
        case .count(let wanted) where freshness.lifetime - freshness.age < wanted: return false
        case .unreadable: return false
        default: break
        }
        if freshness.isFresh { return true }
        guard !control.mustRevalidate, case .count(let limit) = request.maxStale else { return false }
        return freshness.staleness <= limit
    }

    /// Whether the kept response may stand in for an answer that could not be had (RFC 5861 4). The request's own
    /// directive comes first; who asked for what is new gets nothing old.
    package static func mayStandIn(
        _ stored: StoredResponse, for fields: Fields, _ policy: CacheRule, at now: UnixTime
    ) -> Bool {
        let control = stored.control, request = CacheControl(ofRequest: fields)
        guard policy == .useProtocol, !request.noCache, !control.noCache, !control.mustRevalidate,
            case .count(let limit) = request.staleIfError ?? control.staleIfError
        else { return false }
        return Freshness(of: stored, at: now).staleness <= limit
    }

    /// The fields that go to the caller with a response that was not confirmed: with its age by now (RFC 9111 4), and
    /// without those that may not be reused unasked (RFC 9111 5.2.2.4).
    package static func fields(of stored: StoredResponse, at now: UnixTime) -> Fields {
        var fields = stored.fields
        for name in stored.control.noCacheFields { fields.remove(name) }
        fields.set("Age", String(Freshness(of: stored, at: now).age.components.seconds))
        return fields
    }
}
