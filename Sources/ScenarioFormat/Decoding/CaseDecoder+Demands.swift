import HTTPBasics
import ServerScript

/// What is demanded of values: of fields, of items of a query or a form, and of what bodies say.
extension CaseDecoder {
    /// A map of field names to an exact value, to the word `present`, or to what must be in it.
    func fieldRules(_ node: SourceNode) -> [RequestMatch.NamedRule] {
        guard let entries = node.entries else {
            let nothing: [RequestMatch.NamedRule]? = session.wrong(
                node, expected: "a map of header fields", remedy: "such as {Accept: present}")
            return nothing ?? []
        }
        return entries.compactMap { entry in
            guard isFieldName(entry) else { return nil }
            if entry.value.plain == "present" { return RequestMatch.NamedRule(entry.key, .present) }
            if entry.value.isMapping { return fieldDemand(entry.value).map { RequestMatch.NamedRule(entry.key, $0) } }
            return fieldValue(entry.value).map { RequestMatch.NamedRule(entry.key, .equals($0)) }
        }
    }

    private func fieldDemand(_ node: SourceNode) -> RequestMatch.FieldRule? {
        guard let map = session.map(node, .fieldDemand) else { return nil }
        map.refuseEmpty("contains", "matches")
        let part = map.value("contains").flatMap(fieldValue), pattern = map.value("matches").flatMap(self.pattern)
        switch map.only(of: ["contains", "matches"]) {
        case "contains": return part.map { .contains($0) }
        case "matches": return pattern.map { .matches($0) }
        default:
            map.missing("a demand on a value needs 'contains' or 'matches'")
            return nil
        }
    }

    /// A regular expression, compiled once.
    private func pattern(_ node: SourceNode) -> TextPattern? {
        guard let text = session.text(node, what: "a regular expression") else { return nil }
        do throws(PatternMistake) {
            return try TextPattern(text)
        } catch {
            log.error("in the regular expression, at its character \(error.offset + 1): \(error.text)", at: node)
            return nil
        }
    }

    /// A map of names to a value, a list of values, `present`, `none`, or what must be in one of them.
    func itemRules(_ node: SourceNode) -> [RequestMatch.ItemRule] {
        guard let entries = node.entries else {
            let nothing: [RequestMatch.ItemRule]? = session.wrong(
                node, expected: "a map of names and values", remedy: "such as {page: 2, q: present}")
            return nothing ?? []
        }
        return entries.compactMap { entry in
            itemDemand(entry.value).map { RequestMatch.ItemRule(entry.key, $0) }
        }
    }

    private func itemDemand(_ node: SourceNode) -> RequestMatch.ItemRule.ItemDemand? {
        switch node.plain {
        case "present": return .some(.present)
        case "none": return RequestMatch.ItemRule.ItemDemand.none
        default: break
        }
        if node.isMapping { return fieldDemand(node).map { .some($0) } }
        return .values(session.oneOrMore(node).compactMap { session.text($0, what: "a value") })
    }

    private static let bodyDemands = ["json", "json-subset", "form", "contains", "matches", "sha-256"]

    /// What a body says; nil where the body itself is written. Of a demand with a mistake nothing is left.
    func bodyDemand(_ node: SourceNode) -> RequestMatch.BodyRule? {
        guard let entries = node.entries, entries.contains(where: { CaseDecoder.bodyDemands.contains($0.key) }) else {
            return nil
        }
        return session.map(node, .bodyDemand).flatMap(bodyDemand) ?? RequestMatch.BodyRule.none
    }

    private func bodyDemand(_ map: MappingReader) -> RequestMatch.BodyRule? {
        map.refuseEmpty("contains", "matches", "form")
        let values = CaseDecoder.bodyDemands.map { ($0, map.value($0)) }
        guard let key = map.only(of: CaseDecoder.bodyDemands), let value = values.first(where: { $0.0 == key })?.1
        else { return nil }
        switch key {
        case "json": return json(value).map { .json($0) }
        case "json-subset": return json(value).map { .jsonSubset($0) }
        case "form": return .form(itemRules(value))
        case "contains": return session.text(value).map { .contains($0) }
        case "matches": return pattern(value).map { .matches($0) }
        default: return digest(value).map { .sha256($0) }
        }
    }

    // MARK: - JSON

    /// A map or a list is the value itself; a text is JSON as it would be sent.
    func json(_ node: SourceNode) -> JSONValue? {
        guard let text = node.scalar else { return node.isBroken ? nil : value(node) }
        do throws(Malformed) {
            return try JSONReader.read(Array(text.utf8))
        } catch {
            let remedy = "a map, a list, or JSON in quotes, such as '{\"a\": 1}' or '\"a text\"'"
            log.error(error.text, at: node, remedy: remedy)
            return nil
        }
    }

    /// Inside of a map or a list a word without quotes may be a number, `true` or `false`; all else is text.
    private func value(_ node: SourceNode) -> JSONValue {
        if let entries = node.entries { return .object(entries.map { JSONValue.Member($0.key, value($0.value)) }) }
        if let items = node.items { return .list(items.map(value)) }
        switch node.plain {
        case nil: break
        case "true": return .yes(true)
        case "false": return .yes(false)
        case let plain?: if let number = JSONNumber(plain) { return .number(number) }
        }
        return .text(session.text(node, what: "a value of JSON") ?? "")
    }
}
