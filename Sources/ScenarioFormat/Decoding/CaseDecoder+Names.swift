import ServerScript

/// `names:`, what the hosts' names resolve to.
extension CaseDecoder {
    func decodeNames(_ node: SourceNode) -> [ScriptedName] {
        guard let entries = node.entries else {
            return session.wrong(node, expected: "a map of hosts", remedy: "such as {a.test: [v6-silent, v4]}") ?? []
        }
        return entries.compactMap { entry in
            guard hosts.contains(entry.key) else {
                let remedy = Suggestion.remedy(for: entry.key, among: hosts)
                log.error("no host '\(entry.key)' in 'hosts'", at: entry.keyNode, remedy: remedy)
                return nil
            }
            if listenFaults[entry.key] != nil {
                let remedy = "write its addresses as v4-silent or v4-refused"
                log.error("host '\(entry.key)' has a fault at 'listen' and a name", at: entry.keyNode, remedy: remedy)
            }
            return name(entry)
        }
    }

    private func name(_ entry: SourceNode.Entry) -> ScriptedName? {
        var name = ScriptedName(entry.key)
        if entry.value.items != nil {
            name.addresses = addresses(entry.value)
        } else if entry.value.isMapping {
            guard let map = session.map(entry.value, .name) else { return nil }
            name.addresses = map.value("addresses").map(addresses) ?? []
            name.v6 = map.value("v6").flatMap(answer) ?? name.v6
            name.v4 = map.value("v4").flatMap(answer) ?? name.v4
        } else if entry.value.plain == ScriptedName.systemWord {
            name.isSystems = true
        } else if let place = ScriptedName.placeWords.first(where: { $0.word == entry.value.plain }) {
            log.error("addresses are a list", at: entry.value, remedy: "write [\(place.word)]")
            return nil
        } else {
            guard let answer = answerWord(entry.value) else { return nil }
            (name.v6, name.v4) = (answer, answer)
        }
        return name
    }

    private func addresses(_ node: SourceNode) -> [ScriptedName.Address] {
        let addresses = session.list(node, of: "addresses").compactMap(address)
        if addresses.isEmpty, node.items?.isEmpty == true {
            log.error("a name without an address", at: node, remedy: "write unknown")
        }
        return addresses
    }

    private func address(_ node: SourceNode) -> ScriptedName.Address? {
        guard node.isMapping else {
            let word = session.word(node, among: ScriptedName.placeWords.map(\.word))
            return ScriptedName.placeWords.first { $0.word == word }?.address
        }
        guard let map = session.map(node, .lateAddress) else { return nil }
        let families = ScriptedName.Family.allCases.map(\.rawValue)
        guard let family = map.only(of: families).flatMap(ScriptedName.Family.init) else {
            map.missing("an address without a family", remedy: "such as {v6: 300ms}")
            return nil
        }
        return map.duration(family.rawValue).map { ScriptedName.Address(family, .late($0)) }
    }

    /// What begins with a letter is meant as a word.
    private func answer(_ node: SourceNode) -> ScriptedName.Answer? {
        if node.plain?.first?.isLetter == true { return answerWord(node) }
        return session.duration(node).map { .after($0) }
    }

    private func answerWord(_ node: SourceNode) -> ScriptedName.Answer? {
        let word = session.word(node, among: ScriptedName.answerWords.map(\.word))
        return ScriptedName.answerWords.first { $0.word == word }?.answer
    }
}
