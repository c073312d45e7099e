import HTTPBasics

/// Whether a response may be kept (RFC 9111 3), which the caller and the capacity may still refuse.
package enum StoreDecision {
    /// - Parameter sent: The request's fields as they went out.
    package static func mayKeep(_ method: String, sent: Fields, status: Int, fields: Fields) -> Bool {
        let control = CacheControl(ofResponse: fields)
        return method == "GET" && isWorthKeeping(status, fields, control) && !asksForPart(sent)
            && !CacheControl(ofRequest: sent).noStore
            && (control.mustUnderstand ? isUnderstood(status) : !control.noStore)
    }

    /// Whether an answer to a GET, which its server does not let be kept, is what there is now in the place of what was
    /// kept before (BEHAVIOUR 2.D3-withdrawn).
    package static func outdatesKept(sent: Fields, status: Int, fields: Fields) -> Bool {
        isAnswer(status) && status < 500 && !asksForPart(sent) && CacheControl(ofResponse: fields).noStore
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

    /// The same of what a loader gives that knows itself what may be kept (BEHAVIOUR 2.D8).
    package static func mayKeepLoaded(_ method: String, sent: Fields, status: Int) -> Bool {
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

    private static func isWorthKeeping(_ status: Int, _ fields: Fields, _ control: CacheControl) -> Bool {
        guard isAnswer(status) else { return false }
        return Freshness.isHeuristicallyCacheable(status) || control.isPublic || control.isPrivate
            || control.maxAge != nil || fields.contains("Expires")
    }

    /// Those whose meaning for a cache RFC 9110 tells.
    private static func isUnderstood(_ status: Int) -> Bool {
        Freshness.isHeuristicallyCacheable(status) || [201, 202, 205, 302, 303, 307].contains(status)
    }
}
