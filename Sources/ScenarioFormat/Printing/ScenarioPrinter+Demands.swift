import HTTPBasics
import ServerScript

extension ScenarioPrinter {
    func rules(_ rules: [RequestMatch.NamedRule]) -> ShownValue? {
        guard !rules.isEmpty else { return nil }
        return .map(rules.map { ($0.name, demand($0.rule, of: $0.name)) })
    }

    private func demand(_ rule: RequestMatch.FieldRule, of name: String) -> ShownValue {
        switch rule {
        case .present: .word("present")
        case .equals(let text): isHidden(name) ? ScenarioPrinter.hidden : value(text)
        case .contains(let text): .map([("contains", isHidden(name) ? ScenarioPrinter.hidden : value(text))])
        case .matches(let pattern):
            .map([("matches", isHidden(name) ? ScenarioPrinter.hidden : .quoted(pattern.source))])
        }
    }

    func items(_ rules: [RequestMatch.ItemRule]) -> ShownValue {
        .map(
            rules.map { rule in
                switch rule.demand {
                case .none: (rule.name, .word("none"))
                case .some(let demand): (rule.name, self.demand(demand, of: rule.name))
                case .values where isHidden(rule.name): (rule.name, ScenarioPrinter.hidden)
                case .values(let values):
                    (rule.name, values.count == 1 ? value(values[0]) : .list(values.map(value)))
                }
            })
    }

    func bodyRule(_ rule: RequestMatch.BodyRule?) -> [(String, ShownValue?)] {
        switch rule {
        case nil: []
        case .some(.none): [("body", .word("none"))]
        case .equals(let content): [("body", body(content))]
        case .prefix(let content): [("body-prefix-of", body(content))]
        case .json(let wanted): demand("json", .quoted(wanted.text))
        case .jsonSubset(let wanted): demand("json-subset", .quoted(wanted.text))
        case .form(let rules): demand("form", items(rules))
        case .contains(let part): demand("contains", .quoted(part))
        case .matches(let pattern): demand("matches", .quoted(pattern.source))
        case .sha256(let digest): demand("sha-256", .text(digest))
        }
    }

    private func demand(_ key: String, _ value: ShownValue) -> [(String, ShownValue?)] {
        [("body", .map([(key, value)]))]
    }
}
