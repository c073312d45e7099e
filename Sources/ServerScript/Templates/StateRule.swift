import HTTPBasics

/// A name in a script's state, which may have words of the request in it: `order-$path.id`.
package struct StateName: Hashable, Sendable {
    package let text: String
    let template: TextTemplate?

    package init(_ text: String) {
        let template = TextTemplate(text)
        self.text = text
        self.template = template
    }

    package var words: [TemplateWord] { template?.words ?? [] }

    /// With a letter in the place of each word: a name is good when this is.
    package var plain: String {
        (template?.pieces ?? [.text(text)]).reduce("") { result, piece in
            if case .text(let text) = piece { result + text } else { result + "x" }
        }
    }
}

/// What is demanded of a named value or a counter.
package struct StateRule: Hashable, Sendable {
    package enum Want: Hashable, Sendable {
        case equals(StateName)
        case present
        case none
        /// How often it was counted, this request not among them.
        case count(ClosedRange<Int>)
    }

    package var name: StateName
    package var demand: Want

    package init(_ name: String, _ demand: Want) {
        self.name = StateName(name)
        self.demand = demand
    }
}

/// What becomes of a script's state when an exchange is chosen, at once and as a whole.
package struct StateChange: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// An empty value forgets the name.
        case set(StateName)
        case count
    }

    package var name: StateName
    package var kind: Kind

    package init(_ name: String, _ kind: Kind) {
        self.name = StateName(name)
        self.kind = kind
    }

    var words: [TemplateWord] {
        guard case .set(let value) = kind else { return name.words }
        return name.words + value.words
    }
}

extension StateRule {
    /// What is wrong with the state; nil when it is as demanded. Names are as the script has them, since what a request
    /// has put into one may be a secret, as a value may.
    func difference(from variables: ScriptVariables, _ source: inout TemplateSource) -> String? {
        let name = source.text(name)
        let wanted: String
        switch demand {
        case .count(let range):
            let count = variables.count(name)
            if range.contains(count) { return nil }
            return "count \(excerpt(self.name.text)): wanted \(StateRule.text(range)), got \(count)"
        case .equals(let value):
            let value = source.text(value)
            if variables.value(name) == value { return nil }
            wanted = shown(value)
        case .present:
            if variables.value(name) != nil { return nil }
            wanted = "any value"
        case .none:
            if variables.value(name) == nil { return nil }
            wanted = "none"
        }
        let got = variables.value(name).map(shown) ?? "none"
        return "state \(excerpt(self.name.text)): wanted \(wanted), got \(got)"
    }

    private func shown(_ value: String) -> String {
        Secrets.isSecret(field: name.text) ? Secrets.mark : quoted(value)
    }

    package static func text(_ range: ClosedRange<Int>) -> String {
        if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
        return range.upperBound == .max ? "at-least \(range.lowerBound)" : "at-most \(range.upperBound)"
    }
}

extension TemplateSource {
    mutating func text(_ name: StateName) -> String { name.template.map { text($0) } ?? name.text }
}
