/// One name, one thing: who reads a type's name need not ask which of two is meant.
extension Rule {
    /// What many types have. Nested in them such a word says whose it is.
    private static let nestedWords: Set = [
        "Action", "Answer", "Effect", "End", "Entry", "Event", "Framing", "Iterator", "Kind", "Landmark", "Line",
        "Options", "Outcome", "Phase", "Piece", "Place", "Question", "Row", "Shared", "Source", "Stage", "State",
        "Turn",
    ]

    /// The same thing in two places, and why it is there twice.
    private static let namesakes: [String: String] = [
        "ChunkPart": "ScriptedServer's public one is the script's",
        "Coding": "the content codings, of the client and of the server that judges it: they share no code",
        "LaneNetwork": "the same as for LaneSession",
        "LaneSession": "the lane is compiled twice, each time with the one of its client",
        "ResumableUploadVersion": "SessionNetworking's public one is the machine's",
        "Transaction": "a task's, and the same as the judge has seen it",
    ]

    static let names = Rule(name: "names") { tree in
        typesByName(tree).sorted { $0.key < $1.key }.flatMap { name, all in
            let isKnown = namesakes[name] != nil || nestedWords.contains(name) && all.allSatisfy(\.type.isNested)
            return all.dropFirst(isKnown ? all.count : 1).map {
                Finding(
                    path: $0.path, line: $0.type.line,
                    message: "\(name) is the name of another type already (\(all[0].path)): give each its own")
            }
        }
    }

    /// What the lists allow and nobody needs.
    static func unsharedNames(_ tree: SourceTree) -> [String] {
        let types = typesByName(tree)
        return nestedWords.union(namesakes.keys).filter { types[$0, default: []].count < 2 }.sorted()
    }

    private static func typesByName(_ tree: SourceTree) -> [String: [(type: DeclaredType, path: String)]] {
        let types = tree.files.filter(\.isSource).flatMap { file in
            visibleTypes(file.tokens.code).map { (type: $0, path: file.path) }
        }
        return Dictionary(grouping: types, by: \.type.name)
    }

    private struct DeclaredType {
        var name: String
        var line: Int
        var isNested: Bool
    }

    /// Types that others see. An alias is no thing of its own.
    private static func visibleTypes(_ code: [SwiftTokens.Piece]) -> [DeclaredType] {
        let keywords: Set = ["struct", "class", "enum", "actor", "protocol", "extension"]
        var types: [DeclaredType] = []
        /// For each open brace whether others see what is declared within.
        var scopes: [Bool] = []
        var next: Bool?
        for (index, piece) in code.enumerated() {
            if piece.text == "{" {
                scopes.append(next ?? false)
                next = nil
            } else if piece.text == "}" {
                scopes.removeLast(scopes.isEmpty ? 0 : 1)
            } else if keywords.contains(piece.text), index + 1 < code.count,
                code[index + 1].text.first?.isUppercase == true
            {
                let modifiers = code[..<index].reversed().prefix { modifierWords.contains($0.text) }.map(\.text)
                let isHidden = modifiers.contains("private") || modifiers.contains("fileprivate")
                next = !isHidden && scopes.allSatisfy(\.self)
                guard next == true, piece.text != "extension" else { continue }
                types.append(
                    DeclaredType(name: code[index + 1].text, line: code[index + 1].line, isNested: !scopes.isEmpty))
            }
        }
        return types
    }

    private static let modifierWords: Set = [
        "public", "package", "open", "internal", "private", "fileprivate", "final", "indirect", "nonisolated",
    ]
}
