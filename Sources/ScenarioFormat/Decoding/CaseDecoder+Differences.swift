import ServerScript

/// `differs:`, as far as it is about this case.
extension CaseDecoder {
    func decodeDifferences(_ map: MappingReader, caseName: String?) -> [KnownDifference] {
        var differences: [KnownDifference] = []
        if map.entries.isEmpty { log.error("'differs' names no client", at: map.node, remedy: "leave it out") }
        for client in ClientName.others {
            map.refuseEmpty(client.rawValue)
            guard let node = map.value(client.rawValue) else { continue }
            for item in session.oneOrMore(node) {
                guard let record = session.map(item, .difference),
                    let difference = decodeDifference(record, of: client), concerns(record, caseName)
                else { continue }
                if let other = differences.first(where: { $0.overlaps(difference) }) {
                    let message = "this case and style are in line \(other.mark.line) already"
                    log.error(message, at: item, remedy: "narrow one of them with 'cases' or 'styles'")
                }
                differences.append(difference)
            }
        }
        return differences
    }

    private func decodeDifference(_ map: MappingReader, of client: ClientName) -> KnownDifference? {
        let styles = (map.list("styles") ?? []).compactMap { node in
            session.word(node, among: Style.allCases.map(\.rawValue)).flatMap(Style.init)
        }
        map.refuseEmpty("seen", "may", "cases", "styles", "because", "against")
        let seen = map.value("seen").map { session.oneOrMore($0).compactMap { session.text($0) } }
        let may = map.list("may")?.compactMap { node in
            session.word(node, among: KnownDifference.Outcome.allCases.map(\.rawValue))
                .flatMap(KnownDifference.Outcome.init)
        }
        let because = map.text("because") ?? ""
        guard let verdict = map.word("verdict", as: KnownDifference.Kind.self) else { return nil }
        if verdict.needsSeen, seen == nil {
            map.missing("'\(verdict.rawValue)' needs 'seen'", remedy: "run it: the report says what is seen")
        } else if !verdict.needsSeen, seen != nil {
            log.error("'\(verdict.rawValue)' takes no 'seen'", at: map.keyNode("seen"))
        }
        if verdict == .flaky, may == nil {
            map.missing("'flaky' needs 'may'", remedy: "such as may: [conform, differ]")
        } else if verdict != .flaky, may != nil {
            log.error("'may' goes with 'flaky'", at: map.keyNode("may"))
        }
        if because == "TODO", let node = map.value("because") {
            log.error("the reason is still to be written", at: node, remedy: "say in one sentence why")
        }
        return KnownDifference(
            client: client, verdict: verdict, seen: seen ?? [], may: may ?? [],
            styles: styles.isEmpty ? Style.allCases : styles,
            because: because, against: decodeClause(map, verdict), mark: map.node.mark)
    }

    /// Only a rule that can be looked up makes a client broken.
    private func decodeClause(_ map: MappingReader, _ verdict: KnownDifference.Kind) -> Clause? {
        let remedy = "such as 'RFC 9110 9.2.2: SHOULD NOT retry', or 'documentation of URLSessionTask.suspend: ...'"
        guard let text = map.text("against") else {
            if verdict == .broken {
                map.missing("'broken' needs 'against'", remedy: "\(remedy); without a clause it is 'different'")
            }
            return nil
        }
        if verdict != .broken {
            log.error("'against' goes with 'broken'", at: map.keyNode("against"))
        } else if Clause(text) == nil, let node = map.value("against") {
            log.error("this names no clause", at: node, remedy: remedy)
        }
        return Clause(text)
    }

    private func concerns(_ map: MappingReader, _ caseName: String?) -> Bool {
        guard map.has("cases") else { return true }
        return map.texts("cases").contains { CaseNamePattern($0).matches(caseName ?? "") }
    }
}

/// One entry of `cases:` below `differs:`: a case's name, or a glob.
struct CaseNamePattern {
    let text: String

    init(_ text: String) { self.text = text }

    func matches(_ name: String) -> Bool {
        name == text || text.contains("*") && !name.isEmpty && ScenarioPattern(text).matches(name)
    }
}

extension ClientName {
    /// Those that scenarios may record differences of.
    static let others = allCases.filter { $0 != .ours }
}

extension KnownDifference {
    fileprivate func overlaps(_ other: KnownDifference) -> Bool {
        client == other.client && !Set(styles).isDisjoint(with: other.styles)
    }
}

extension KnownDifference.Kind {
    /// Whether more than the verdict must be as recorded.
    package var needsSeen: Bool { self == .different || self == .broken }
}
