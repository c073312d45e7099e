import HTTPBasics

/// The conditions on a head, made ready for many requests.
struct PlannedMatch {
    let scripted: RequestMatch
    let method: String?
    private let target: TargetRule
    private let hasQuery: Bool
    /// Whether anything but method and target is demanded of the head.
    private let hasMore: Bool

    init(_ match: RequestMatch) {
        scripted = match
        method = match.method
        target = match.targetRule
        hasQuery = match.query != nil
        hasMore =
            hasQuery || match.minorVersion != nil || match.connection != nil || match.exchange != nil
            || !match.fields.isEmpty || !match.absent.isEmpty || match.basic != nil || match.digest != nil
            || match.ntlm != nil || match.negotiate != nil
    }

    /// Whether the line fits; a HEAD is taken `asGET` for a route that says nothing of it.
    func matchesLine(_ head: ReceivedHead, asGET: Bool = false) -> Bool {
        if let method, method != (asGET ? "GET" : head.method) { return false }
        return target.matches(head.shownTarget, anyQuery: hasQuery)
    }

    /// Whether the head fits: `differences`, without words where there are many requests.
    func matches(
        _ head: ReceivedHead, at place: RequestPlace, _ work: PatternWork = PatternWork(), asGET: Bool = false
    ) -> Bool {
        guard matchesLine(head, asGET: asGET) else { return false }
        guard hasMore else { return true }
        if let minorVersion = scripted.minorVersion, minorVersion != head.minorVersion { return false }
        if let connection = scripted.connection, connection != place.connection { return false }
        if let exchange = scripted.exchange, exchange != place.exchange { return false }
        for rule in scripted.fields where !holds(rule, head, work) { return false }
        if scripted.absent.contains(where: head.fields.contains) { return false }
        if let query = scripted.query, !query.allSatisfy({ $0.holds(for: head.query, work) }) { return false }
        return signsIn(head)
    }

    private func holds(_ rule: RequestMatch.NamedRule, _ head: ReceivedHead, _ work: PatternWork) -> Bool {
        switch head.fields.count(rule.name) {
        case 0: false
        case 1: head.fields.first(rule.name).map { rule.rule.holds(for: $0, work) == true } ?? false
        default: head.fields.joined(rule.name).map { rule.rule.holds(for: $0, work) == true } ?? false
        }
    }

    private func signsIn(_ head: ReceivedHead) -> Bool {
        let field = head.authorizationField
        if let basic = scripted.basic,
            BasicVerification.difference(head.fields.values(field), basic, field: field) != nil
        {
            return false
        }
        if let digest = scripted.digest, DigestVerification(digest, head).difference() != nil { return false }
        if let ntlm = scripted.ntlm, NTLMVerification(ntlm, head).difference() != nil { return false }
        if let negotiate = scripted.negotiate, NegotiateVerification(negotiate, head).difference() != nil {
            return false
        }
        return true
    }

    /// What the captures of the target stand for.
    func captures(in head: ReceivedHead) -> [(name: String, value: String)] {
        guard case .pattern(let pattern) = target else { return [] }
        return pattern.captures(in: head.shownTarget, anyQuery: hasQuery) ?? []
    }
}
