import ServerScript

/// Named values and counters, and delays that differ.
extension ScenarioPrinter {
    func stateValues(_ rules: [StateRule]) -> ShownValue? {
        let entries = rules.compactMap { rule -> (String, ShownValue)? in
            switch rule.demand {
            case .equals(let value):
                (rule.name.text, isHidden(rule.name.text) ? ScenarioPrinter.hidden : .text(value.text))
            case .present: (rule.name.text, .word("present"))
            case .none: (rule.name.text, .word("none"))
            case .count: nil
            }
        }
        return entries.isEmpty ? nil : .map(entries)
    }

    func stateCounts(_ rules: [StateRule]) -> ShownValue? {
        let entries = rules.compactMap { rule -> (String, ShownValue)? in
            guard case .count(let range) = rule.demand else { return nil }
            return (rule.name.text, .word(StateRule.text(range)))
        }
        return entries.isEmpty ? nil : .map(entries)
    }

    func counters(_ changes: [StateChange]) -> ShownValue? {
        let names = changes.compactMap { change -> ShownValue? in
            if case .count = change.kind { return .text(change.name.text) }
            return nil
        }
        return names.isEmpty ? nil : names.count == 1 ? names[0] : .list(names)
    }

    func settings(_ changes: [StateChange]) -> ShownValue? {
        let entries = changes.compactMap { change -> (String, ShownValue)? in
            guard case .set(let value) = change.kind else { return nil }
            return (change.name.text, isHidden(change.name.text) ? ScenarioPrinter.hidden : .text(value.text))
        }
        return entries.isEmpty ? nil : .map(entries)
    }

    func delay(_ reply: Reply) -> ShownValue? {
        switch reply.delaySpread {
        case nil: return reply.delay == .zero ? nil : duration(reply.delay)
        case .uniform(let more):
            return .map([("uniform", .list([duration(reply.delay), duration(reply.delay + more)]))])
        case .logNormal(let median, let sigma):
            let digits = String(repeating: "0", count: max(0, 4 - String(sigma).count)) + String(sigma)
            let text = "\(digits.dropLast(3)).\(digits.suffix(3))"
            return .map([("log-normal", .map([("median", duration(median)), ("sigma", .word(text))]))])
        }
    }
}
