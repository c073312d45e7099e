import HTTPBasics

/// What an answer makes of the cache (RFC 9111 3); the caller and the capacity may still refuse to keep it.
package enum StoreDecision: Hashable, Sendable {
    case keep
    /// Its server does not let it be kept, but it is what there is now in the place of what was kept before
    /// (BEHAVIOUR 2.D3-withdrawn).
    case outdate
    /// The cache has nothing to do with it.
    case ignore

    /// - Parameter sent: The request's own fields: what every request says, cookies and credentials decide nothing.
    package static func decide(_ method: String, sent: Fields, status: Int, fields: FieldBlock) -> StoreDecision {
        guard concerns(method, sent: sent, status: status) else { return .ignore }
        let control = CacheControl(ofResponse: fields)
        let isAllowed = control.mustUnderstand ? isUnderstood(status) : !control.noStore
        if isAllowed, isWorthKeeping(status, fields, control), !CacheControl(ofRequest: sent).noStore { return .keep }
        return control.noStore && status < 500 ? .outdate : .ignore
    }

    /// Without what is about the connection or its proxy (RFC 9111 3.1).
    package static func kept(_ fields: Fields) -> Fields {
        var kept = fields
        for name in fields.joined("Connection")?.listMembers ?? [] { kept.remove(String(name.trimmingWhitespace)) }
        for name in ["Connection", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization"] {
            kept.remove(name)
        }
        return kept
    }

    /// Whether the cache has anything to do with it. That is all there is to ask of the answer of a loader that knows
    /// itself what may be kept (BEHAVIOUR 2.D8).
    package static func concerns(_ method: String, sent: Fields, status: Int) -> Bool {
        method == "GET" && isAnswer(status) && !asksForPart(sent)
    }

    /// A part is never kept: it could be taken for the whole. What answers a condition of the caller's is the caller's.
    private static func asksForPart(_ sent: Fields) -> Bool {
        ConditionalFields.names.contains(where: sent.contains) || sent.contains("Range")
    }

    /// Who was not let in is let in by asking again (BEHAVIOUR 2.D5-challenge).
    private static func isAnswer(_ status: Int) -> Bool {
        200...599 ~= status && ![206, 304, 401, 407].contains(status)
    }

    private static func isWorthKeeping(_ status: Int, _ fields: FieldBlock, _ control: CacheControl) -> Bool {
        Freshness.isHeuristicallyCacheable(status) || control.isPublic || control.isPrivate || control.maxAge != nil
            || fields.contains("Expires")
    }

    /// Those whose meaning for a cache RFC 9110 tells.
    private static func isUnderstood(_ status: Int) -> Bool {
        Freshness.isHeuristicallyCacheable(status) || [201, 202, 205, 302, 303, 307].contains(status)
    }
}
