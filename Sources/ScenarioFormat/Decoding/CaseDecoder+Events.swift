import ServerScript

extension CaseDecoder {
    private static let escapes = ["maybe", "unordered", "never", "repeat", "any-of"]

    func eventWord(_ text: String, at node: SourceNode) -> EventWord? {
        if let word = EventWord(rawValue: text) { return word }
        if let reason = KeyTable.plannedWords[text] {
            log.error("'\(text)' is not yet supported: \(reason)", at: node)
        } else {
            let words = EventWord.allCases.map(\.rawValue)
            log.error("unknown event '\(text)'", at: node, remedy: Suggestion.remedy(for: text, among: words))
        }
        return nil
    }

    /// A list of events; a variable that is a list stands for its events.
    func eventPatterns(_ nodes: [SourceNode]) -> [EventPattern] {
        session.spliced(nodes).compactMap(eventPattern)
    }

    /// One entry of a list of events: a word, a map with one event, or an escape.
    func eventPattern(_ node: SourceNode) -> EventPattern? {
        if node.plain == "anything" { return .anything }
        if node.scalar != nil { return event(node).map { .event($0) } }
        guard let map = session.map(node, .eventPattern) else { return nil }
        if map.has("of"), !map.has("repeat") { log.error("'of' goes with 'repeat'", at: map.keyNode("of")) }
        switch map.only(of: CaseDecoder.escapes + CaseDecoder.eventKeys) {
        case "maybe": return map.value("maybe").map { .maybe(session.oneOrMore($0).compactMap(event)) }
        case "unordered": return .unordered(eventPatterns(map.list("unordered") ?? []))
        case "never": return map.value("never").map { .never(session.oneOrMore($0).compactMap(eventWord)) }
        case "repeat":
            let range = map.value("repeat").flatMap(counts)
            guard let of = map.value("of") else {
                map.missing("'repeat' needs 'of', an event")
                return nil
            }
            guard let pattern = eventPattern(of), let range else { return nil }
            return .repeat(range, pattern)
        case "any-of":
            let lists = (map.list("any-of") ?? []).map { eventPatterns(session.oneOrMore($0)) }
            if lists.count == 1 {
                log.warning("'any-of' has nothing to choose from", at: node, remedy: "write the events without it")
            }
            return .anyOf(lists)
        case .some: return event(map).map { .event($0) }
        case nil:
            if map.entries.isEmpty { log.error("an event is missing", at: node) }
            return nil
        }
    }

    private static let eventKeys = KeyTable.keys(of: .eventPattern).map(\.name).filter {
        EventWord(rawValue: $0) != nil
    }

    private func eventWord(_ node: SourceNode) -> EventWord? {
        session.text(node, what: "an event").flatMap { eventWord($0, at: node) }
    }

    /// `response`, or `response: {status: 200}`.
    private func event(_ node: SourceNode) -> EventMatch? {
        if node.isMapping { return session.map(node, .eventPattern).flatMap(event) }
        return eventWord(node).map { EventMatch($0, mark: node.mark) }
    }

    private func event(_ map: MappingReader) -> EventMatch? {
        guard let key = map.only(of: CaseDecoder.eventKeys), let word = EventWord(rawValue: key),
            let value = map.value(key)
        else {
            if let first = map.entries.first, KeyTable.key(first.key, of: .eventPattern) != nil {
                log.error("'\(first.key)' cannot stand here: only events", at: map.node)
            }
            return nil
        }
        let mark = map.keyNode(key).mark
        if word == .complete {
            var match = completion(value)
            match.mark = mark
            return match
        }
        var match = EventMatch(word, mark: mark)
        guard case .map(let context)? = KeyTable.key(key, of: .eventPattern)?.kind,
            let properties = session.map(value, context)
        else { return match }
        fill(&match, properties)
        return match
    }

    // MARK: - Properties

    private func fill(_ match: inout EventMatch, _ map: MappingReader) {
        switch match.word {
        case .redirect:
            match.status = map.status("status")
            match.to = map.value("to").flatMap(requestLine).map { "\($0.method) \($0.target)" }
        case .challenge:
            match.method = map.word("method")
            match.realm = map.text("realm")
            match.level = map.word("level", as: ChallengeLevel.self)
            match.previousFailures = map.count("previousFailures")
            match.isOfProxy = map.yesNo("proxy")
        case .willCache:
            match.status = map.status("status")
            match.total = map.value("total").flatMap(sizeRule)
        case .sent, .wrote:
            match.total = map.value("total").flatMap(sizeRule)
            match.expected = map.bytes("expected")
        case .informational, .response:
            match.status = map.status("status")
            match.fields = map.value("headers").map(fieldRules) ?? []
            guard match.word == .response else { return }
            match.url = map.text("url")
            match.absent = map.value("absent").map(fieldNames) ?? []
            match.expected = map.value("length").flatMap { $0.plain == "unknown" ? -1 : session.bytes($0) }
            match.mimeType = map.text("type")
            match.encoding = map.text("encoding")
            match.filename = map.text("filename")
            match.names = map.value("names").map(fieldNames) ?? []
        case .data:
            match.total = map.value("total").flatMap(sizeRule)
            match.content = map.value("equals").map { body($0) ?? .empty }
        case .resumed:
            match.offset = map.bytes("offset")
            match.expected = map.bytes("expected")
        case .file: match.content = map.value("equals").map { body($0) ?? .empty }
        case .metrics:
            match.redirects = map.count("redirects")
            match.transactions = map.list("transactions").map { $0.compactMap(transaction) }
        case .delayedRequest: match.to = map.value("to").flatMap(requestLine).map { "\($0.method) \($0.target)" }
        case .created, .waiting, .becameDownload, .needStream, .complete: break
        }
    }

    /// `4`, `at-least 64KiB`, `at-most 1MiB`.
    private func sizeRule(_ node: SourceNode) -> SizeRule? {
        guard let text = session.text(node, what: "a number of bytes") else { return nil }
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2 else { return session.bytes(node).map { .exactly($0) } }
        guard case .value(let size) = Quantities.size(words[1], allowsBare: true),
            ["at-least", "at-most"].contains(words[0])
        else {
            log.error("'\(text)' is not a number of bytes", at: node, remedy: "write 4, at-least 64KiB or at-most 1MiB")
            return nil
        }
        return words[0] == "at-least" ? .atLeast(size) : .atMost(size)
    }

    /// `2` or `1..3`.
    func counts(_ node: SourceNode) -> ClosedRange<Int>? {
        guard let text = session.text(node, what: "a number or a..b") else { return nil }
        let ends: [String]
        if let dots = text.firstRange(of: "..") {
            ends = [String(text[..<dots.lowerBound]), String(text[dots.upperBound...])]
        } else {
            ends = [text, text]
        }
        guard case .value(let lower) = Quantities.integer(ends[0]),
            case .value(let upper) = Quantities.integer(ends[1]),
            lower <= upper, upper <= 10_000
        else {
            log.error("'\(text)' is not a count", at: node, remedy: "write 2, or 1..3; at most 10000")
            return nil
        }
        return lower...upper
    }

    // MARK: - Completion

    /// `ok`, a name of `URLError.Code`, `{error: ..., resume-data: ...}`, or a list of allowed outcomes.
    func completion(_ node: SourceNode) -> EventMatch {
        var match = EventMatch(.complete, mark: node.mark)
        match.outcomes = session.oneOrMore(node).flatMap(outcomes)
        if match.outcomes.isEmpty, node.items?.isEmpty == true { log.error("an outcome is missing", at: node) }
        return match
    }

    private func outcomes(_ node: SourceNode) -> [EventMatch.Outcome] {
        guard node.isMapping else {
            if node.plain == "ok" { return [.success] }
            return errorName(node, alsoAllowed: ["ok"]).map { [.failure(code: $0, hasResumeData: nil)] } ?? []
        }
        guard let map = session.map(node, .completeEvent) else { return [] }
        let hasResumeData = map.word("resume-data").map { $0 == "present" }
        let names = map.value("error").map { session.oneOrMore($0) } ?? []
        return names.compactMap { errorName($0) }.map { .failure(code: $0, hasResumeData: hasResumeData) }
    }

    private func errorName(_ node: SourceNode, alsoAllowed: [String] = []) -> String? {
        guard let name = session.text(node, what: "the name of a URLError.Code") else { return nil }
        if ErrorNames.all.contains(name) { return name }
        let nearest = Suggestion.nearest(to: name, among: ErrorNames.all + alsoAllowed)
        let remedy = nearest.map { "did you mean '\($0)'?" } ?? "such as timedOut or networkConnectionLost"
        log.error("'\(name)' is no name of a URLError.Code", at: node, remedy: remedy)
        return nil
    }
}
