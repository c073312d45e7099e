import ScenarioFormat
import ServerScript

extension Expectation {
    /// The same with `$origin` replaced in field values and in the bodies that a caller got, as the script's own are.
    /// Targets of events only get their shortest form: what was seen is written in a scenario's words, too.
    func resolved(_ origins: OriginTable) -> Expectation {
        var resolved = self
        for task in resolved.tasks.indices {
            resolved.tasks[task].body = resolved.tasks[task].body.map(origins.resolved)
            resolved.tasks[task].events = resolved.tasks[task].events.map { $0.map { $0.resolved(origins) } }
        }
        resolved.wire = wire.map { list in
            list.map { entry in
                entry.map { expectation in
                    var expectation = expectation
                    expectation.fields = expectation.fields.map { $0.resolved(origins) }
                    return expectation
                }
            }
        }
        return resolved
    }
}

extension EventPattern {
    fileprivate func resolved(_ origins: OriginTable) -> EventPattern {
        switch self {
        case .event(let match): return .event(match.resolved(origins))
        case .maybe(let matches): return .maybe(matches.map { $0.resolved(origins) })
        case .unordered(let patterns): return .unordered(patterns.map { $0.resolved(origins) })
        case .never, .anything: return self
        case .repeat(let range, let pattern): return .repeat(range, pattern.resolved(origins))
        case .anyOf(let lists): return .anyOf(lists.map { $0.map { $0.resolved(origins) } })
        }
    }
}

extension EventMatch {
    fileprivate func resolved(_ origins: OriginTable) -> EventMatch {
        var match = self
        match.fields = fields.map { $0.resolved(origins) }
        match.url = url.map(origins.canonical)
        match.to = to.map(origins.canonical)
        match.transactions = transactions.map { list in
            list.map { transaction in
                var transaction = transaction
                transaction.request = transaction.request.map(origins.canonical)
                return transaction
            }
        }
        return match
    }
}

extension RequestMatch.NamedRule {
    fileprivate func resolved(_ origins: OriginTable) -> RequestMatch.NamedRule {
        RequestMatch.NamedRule(name, rule.replaced(origins.resolved))
    }
}
