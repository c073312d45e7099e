import HTTPBasics

extension RequestMatch.FieldRule {
    /// Whether a value is as demanded; nil for one that is too long for a pattern, or when the work is used up.
    package func holds(for value: String, _ work: PatternWork = PatternWork()) -> Bool? {
        switch self {
        case .equals(let wanted): value == wanted
        case .present: true
        case .contains(let part): ByteSearch.contains(value.utf8, part.utf8)
        case .matches(let pattern): pattern.isFound(in: value, work)
        }
    }

    /// What is wanted, for messages.
    ///
    /// - Parameter isSecret: Whether the values are: then the pattern may be one of them.
    package func wanted(isSecret: Bool, _ shown: (String) -> String) -> String {
        switch self {
        case .equals(let wanted): shown(wanted)
        case .present: "any value"
        case .contains(let part): "something with \(shown(part)) in it"
        case .matches where isSecret: "something that matches a pattern, which is not shown"
        case .matches(let pattern): "something that matches /\(excerpt(pattern.source))/"
        }
    }

    /// Why a value does not match that looks as if it should.
    package func note(on value: String, _ work: PatternWork = PatternWork()) -> String {
        guard case .matches(let pattern) = self, let obstacle = pattern.obstacle(to: value, work) else { return "" }
        return ", " + obstacle
    }
}

extension RequestMatch.ItemRule {
    /// What is wrong with the items of this name; nil when they are as demanded.
    ///
    /// - Parameter what: `query` or `form`.
    package func difference(from items: FormItems, what: String, _ work: PatternWork) -> String? {
        if holds(for: items, work) { return nil }
        let got = items.values(name)
        let isSecret = Secrets.isSecret(field: name)
        let shownGot: String
        switch got.count {
        case 0: shownGot = "none"
        case _ where isSecret: shownGot = "another value"
        default: shownGot = got.prefix(8).map(quoted).joined(separator: ", ") + note(on: got, work)
        }
        return "\(what) \(excerpt(name)): wanted \(wanted(isSecret: isSecret)), got \(shownGot)"
    }

    func holds(for items: FormItems, _ work: PatternWork) -> Bool {
        let named = items.list.lazy.filter { $0.name == name }
        return switch demand {
        case .values(let wanted): named.map(\.value).elementsEqual(wanted)
        case .none: named.isEmpty
        case .some(let rule): named.contains { rule.holds(for: $0.value, work) == true }
        }
    }

    private func wanted(isSecret: Bool) -> String {
        let shown: (String) -> String = { isSecret ? Secrets.mark : quoted($0) }
        switch demand {
        case .values(let wanted): return wanted.map(shown).joined(separator: ", ")
        case .none: return "none"
        case .some(let rule): return rule.wanted(isSecret: isSecret, shown)
        }
    }

    private func note(on values: [String], _ work: PatternWork) -> String {
        guard case .some(let rule) = demand else { return "" }
        return values.lazy.map { rule.note(on: $0, work) }.first { !$0.isEmpty } ?? ""
    }
}
