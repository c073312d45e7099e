import ServerScript

/// Decodes a whole file: what all cases share once, the rest once for each case.
struct ScenarioDecoder {
    let session: DecodingSession
    /// The id that the file's place gives it; nil for a file outside the scenarios' folder.
    let placeID: String?
    let choice: CaseChoice

    private var log: DiagnosticLog { session.log }

    /// Keys that are the same for every case; variables do not reach them.
    private static let sharedKeys: Set<String> = [
        "scenario", "about", "rows", "refs", "kind", "tags", "needs", "clock", "vars", "cases", "matrix",
    ]

    init(session: DecodingSession, placeID: String?, choice: CaseChoice = .all) {
        self.session = session
        self.placeID = placeID
        self.choice = choice
    }

    func decode(_ root: SourceNode) -> Scenario? {
        guard let file = session.map(root, .scenario) else { return nil }
        var scenario = Scenario(id: id(file), file: log.source.file)
        scenario.about = file.text("about") ?? ""
        scenario.rows = file.value("rows").map(rows) ?? []
        scenario.refs = file.texts("refs")
        scenario.kind = file.word("kind", as: Scenario.Kind.self) ?? .must
        scenario.tags = file.value("tags").map { session.list($0, of: "words").compactMap { session.label($0) } } ?? []
        scenario.needs = needs(file)
        session.codings = scenario.needs.codings
        checkParts(file)
        scenario.cases = cases(file)
        checkDifferences(file, scenario)
        return scenario
    }

    // MARK: - Shared by all cases

    private func id(_ file: MappingReader) -> String {
        guard let node = file.value("scenario"), let text = session.text(node) else { return placeID ?? "" }
        if let placeID, text != placeID {
            log.error("this file is the scenario '\(placeID)'", at: node, remedy: "the id is the path without '.yaml'")
        }
        return text
    }

    /// `1.C1`, `1.B1-3`, `2.I17`, `3.A1`: part, section or letter, and number.
    private func rows(_ node: SourceNode) -> [String] {
        session.list(node, of: "rows such as 1.C1").compactMap { item in
            guard let text = session.text(item) else { return nil }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let isRow =
                parts.count == 2 && ["1", "2", "3"].contains(parts[0])
                && (parts[1].first.map { $0.isUppercase } ?? false)
                && parts[1].utf8.allSatisfy { $0 > 32 && $0 < 127 } && parts[1].utf8.count <= 32
            if !isRow { log.error("'\(text)' is no row of BEHAVIOUR", at: item, remedy: "such as 1.C1 or 2.I17") }
            return text
        }
    }

    private func needs(_ file: MappingReader) -> Needs {
        var needs = Needs()
        if let map = file.map("needs", .needs) {
            let worlds = WorldName.allCases.map(\.rawValue), styles = Style.allCases.map(\.rawValue)
            needs.worlds =
                map.value("world").map { node in
                    session.oneOrMore(node).compactMap { session.word($0, among: worlds).flatMap(WorldName.init) }
                } ?? []
            needs.styles = (map.list("styles") ?? []).compactMap { node in
                session.word(node, among: styles).flatMap(Style.init)
            }
            let codings = SystemCoding.allCases.map(\.rawValue)
            needs.codings = (map.list("codings") ?? []).compactMap { node in
                session.word(node, among: codings).flatMap(SystemCoding.init)
            }
        }
        if file.word("clock") != nil {
            if !needs.worlds.isEmpty {
                log.error("'clock' and 'needs: {world: ...}' say the same thing", at: file.keyNode("clock"))
            }
            needs.worlds = [.simulated]
        }
        return needs
    }

    private func checkParts(_ file: MappingReader) {
        if !["server", "routes", "otherwise"].contains(where: file.has) {
            file.missing("nothing to serve", remedy: "write 'server:' (steps) or 'routes:'")
        }
        if file.has("expect"), !file.has("client") {
            log.error("'expect' needs 'client'", at: file.keyNode("expect"))
        }
        if file.has("differs"), !file.has("client") {
            log.error("'differs' needs 'client'", at: file.keyNode("differs"))
        }
        // Of answers that are bent there may be nothing more to say than what holds in every run.
        let expects = file.value("expect").map { $0.entries?.isEmpty != true } ?? false
        if file.has("client"), !expects, !file.has("bends") {
            log.error("nothing is expected of the client", at: file.keyNode("client"), remedy: "write 'expect:'")
        }
    }

    /// Every name and glob below `differs:` must mean some case, and what is left open is held against no client.
    private func checkDifferences(_ file: MappingReader, _ scenario: Scenario) {
        let names = session.caseNames
        let records = file.value("differs")?.entries?.flatMap { session.oneOrMore($0.value) } ?? []
        for item in records.compactMap({ $0.value(of: "verdict") }) where scenario.kind != .must {
            guard item.scalar == KnownDifference.Kind.broken.rawValue else { continue }
            log.error(
                "'\(scenario.kind.rawValue)' leaves open what another client does", at: item,
                remedy: "write 'different'")
        }
        for item in records.flatMap({ $0.value(of: "cases")?.items ?? [] }) {
            guard let text = item.scalar, !names.contains(where: CaseNamePattern(text).matches) else { continue }
            log.error("no case is called '\(text)'", at: item, remedy: Suggestion.remedy(for: text, among: names))
        }
    }

    // MARK: - Cases

    private func cases(_ file: MappingReader) -> [ScenarioCase] {
        let definitions = variableDefinitions(file)
        let rows = CaseExpansion(log: log).rows(
            cases: file.value("cases"), matrix: file.value("matrix"), fileMark: file.node.mark)
        session.caseNames = rows.compactMap(\.name)
        var used: Set<String> = [], usedBodies: Set<String> = []
        var result: [ScenarioCase] = []
        for (index, row) in rows.enumerated() where !log.isFull && choice.wants(row.name, at: index) {
            var variables = Variables(log: log, caseName: row.name)
            for entry in definitions { variables.define(entry.key, entry.value) }
            for entry in row.values { variables.define(entry.key, entry.value) }
            let entries = file.entries.filter { !ScenarioDecoder.sharedKeys.contains($0.key) }.map { entry in
                SourceNode.Entry(key: entry.key, keyNode: entry.keyNode, value: variables.resolve(entry.value))
            }
            let map = MappingReader(context: .scenario, node: file.node, entries: entries, session: session)
            let decoder = CaseDecoder(session: session)
            result.append(decoder.decode(map, name: row.name, mark: row.mark))
            used.formUnion(variables.used)
            usedBodies.formUnion(decoder.usedBodies)
        }
        if !log.hasErrors, result.count == rows.count {
            warnOfUnused(definitions + (rows.first?.values ?? []), "variable", used)
            warnOfUnused(file.value("bodies")?.entries ?? [], "body", usedBodies)
        }
        return result
    }

    private func variableDefinitions(_ file: MappingReader) -> [SourceNode.Entry] {
        guard let node = file.value("vars") else { return [] }
        guard let entries = node.entries else {
            let nothing: [SourceNode.Entry]? = session.wrong(node, expected: "a map of variables")
            return nothing ?? []
        }
        for entry in entries where !Variables.isName(entry.key) {
            let remedy = "letters, digits, '-' and '_'; not 'origin'"
            log.error("'\(entry.key)' cannot be a variable", at: entry.keyNode, remedy: remedy)
        }
        return entries
    }

    private func warnOfUnused(_ entries: [SourceNode.Entry], _ what: String, _ used: Set<String>) {
        for entry in entries where !used.contains(entry.key) {
            log.warning("\(what) '\(entry.key)' is never used", at: entry.keyNode)
        }
    }
}
