import ServerScript

/// Words for captures that the request does not have, and for names that nothing sets or counts.
extension Linter {
    func checkState(_ script: Script) {
        let changes = script.exchanges.flatMap(\.0.changes)
        // With a name that is made of a request nobody can tell which ones there are.
        let isOpen = { (isCounter: Bool) in changes.contains { $0.isCounter == isCounter && $0.name.hasWords } }
        let (opensState, opensCounts) = (isOpen(false), isOpen(true))
        let set = Set(changes.filter { !$0.isCounter }.map(\.name.text))
        let counted = Set(changes.filter(\.isCounter).map(\.name.text))
        var known: Set<String> = []
        func checkName(_ name: String, isCounter: Bool, _ mark: SourceMark?) {
            let names = isCounter ? counted : set
            guard !names.contains(name), !(isCounter ? opensCounts : opensState),
                known.insert("\(isCounter) \(name)").inserted
            else { return }
            let key = isCounter ? "count" : "set"
            let nearest = Suggestion.nearest(to: name, among: Array(names)).map { "did you mean '\($0)'?" }
            warn("nothing has '\(name)' under '\(key)'", at: mark, remedy: nearest)
        }
        for (exchange, mark) in script.exchanges {
            for rule in exchange.request.state where !rule.name.hasWords {
                checkName(rule.name.text, isCounter: rule.isOfCounter, mark)
            }
            for rule in exchange.request.state {
                guard let word = rule.name.words.first(where: \.isOfBody) else { continue }
                error("$\(word.text): the state is looked at before the body is read", at: mark)
            }
            for word in exchange.templates.flatMap(\.words) {
                switch word {
                case .state(let name): checkName(name, isCounter: false, mark)
                case .count(let name): checkName(name, isCounter: true, mark)
                case .capture(let name) where !exchange.request.captureNames.contains(name):
                    error("$path.\(name): the request has no '{\(name)}'", at: mark)
                default: break
                }
            }
        }
        for word in script.otherwise?.templates.flatMap(\.words) ?? [] {
            if case .capture(let name) = word {
                error("$path.\(name): 'otherwise' has no request to take it from", at: nil)
            }
        }
    }
}

extension StateName {
    fileprivate var hasWords: Bool { TextTemplate(text)?.words.isEmpty == false }
}

extension StateRule {
    fileprivate var isOfCounter: Bool {
        if case .count = demand { return true }
        return false
    }
}

extension StateChange {
    fileprivate var isCounter: Bool { kind == .count }
}
