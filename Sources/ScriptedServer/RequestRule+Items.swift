import ServerScript

/// Conditions on the items of a query and of a form that say less than their values.
extension RequestRule {
    /// The query has a value under this name, or none. The request's target is then written without a query.
    public static func query(_ name: String, _ presence: Presence) -> RequestRule {
        query(name, presence == .present ? .some(.present) : .none)
    }

    /// The query has a value under this name in which this text is. The request's target is then written without a
    /// query.
    public static func query(_ name: String, contains part: String) -> RequestRule {
        query(name, .some(.contains(part)))
    }

    /// The query has a value under this name in which this regular expression is found; see `header(_:matches:)`. The
    /// request's target is then written without a query.
    public static func query(_ name: String, matches pattern: String) -> RequestRule {
        RequestRule(pattern: pattern) { $0.addQuery(name, .some(.matches($1))) }
    }

    /// The form that the body is has a value under this name, or none.
    public static func form(_ name: String, _ presence: Presence) -> RequestRule {
        RequestRule { $0.addForm(name, presence == .present ? .some(.present) : .none) }
    }

    /// The form that the body is has a value under this name in which this text is.
    public static func form(_ name: String, contains part: String) -> RequestRule {
        RequestRule { $0.addForm(name, .some(.contains(part))) }
    }

    /// The form that the body is has a value under this name in which this regular expression is found; see
    /// `header(_:matches:)`.
    public static func form(_ name: String, matches pattern: String) -> RequestRule {
        RequestRule(pattern: pattern) { $0.addForm(name, .some(.matches($1))) }
    }

    /// The body has this SHA-256, in hexadecimal digits. `start` throws for what is none.
    public static func body(sha256 digest: String) -> RequestRule {
        RequestRule(complaint: complaint(aboutSHA256: digest)) { $0.body = .sha256(digest.lowercased()) }
    }

    /// The body is a beginning of this one, of a byte at least.
    public static func body(prefixOf body: ServerBody) -> RequestRule {
        RequestRule { $0.body = .prefix(of: body.content) }
    }

    private static func query(_ name: String, _ demand: RequestMatch.ItemRule.ItemDemand) -> RequestRule {
        RequestRule { $0.addQuery(name, demand) }
    }
}

extension RequestMatch {
    mutating func addQuery(_ name: String, _ demand: ItemRule.ItemDemand) {
        query = (query ?? []) + [ItemRule(name, demand)]
    }

    mutating func addForm(_ name: String, _ demand: ItemRule.ItemDemand) {
        var rules: [ItemRule] = []
        if case .form(let earlier) = body { rules = earlier }
        body = .form(rules + [ItemRule(name, demand)])
    }
}
