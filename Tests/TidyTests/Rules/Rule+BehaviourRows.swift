/// The rows of Documentation/BEHAVIOUR.md and the places that cite them.
extension Rule {
    static let behaviourPath = "Documentation/BEHAVIOUR.md"

    /// The rows of the tables.
    static func rows(_ tree: SourceTree) -> [SwiftTokens.Piece] { identifiers(tree, at: "| ") }

    /// The ids in headings; a section may be cited as a whole, which proves none of its rows.
    static func sections(_ tree: SourceTree) -> [SwiftTokens.Piece] { identifiers(tree, at: "### ") }

    private static func identifiers(_ tree: SourceTree, at mark: String) -> [SwiftTokens.Piece] {
        guard let file = tree.file(behaviourPath) else { return [] }
        return file.lines.enumerated().filter { $0.element.hasPrefix(mark) }.compactMap { offset, line in
            let first = line.dropFirst(mark.count).prefix { $0 != " " }
            return isIdentifier(first) ? SwiftTokens.Piece(text: String(first), line: offset + 1) : nil
        }
    }

    static let rowIdentity = Rule(name: "row-identity") { tree in
        [rows(tree), sections(tree)].flatMap { list in
            var seen: Set<String> = []
            return list.filter { !seen.insert($0.text).inserted }
        }.map { Finding(path: behaviourPath, line: $0.line, message: "\($0.text) is there twice") }
    }

    /// A claim about FoundationNetworking holds as long as it is played: each such row is cited by a parity test.
    static let observations = Rule(name: "observations") { tree in
        guard let page = tree.file(behaviourPath) else { return [] }
        let tests = tree.files.filter { $0.path.hasPrefix("Tests/ParityTests/") }
        let played = Set(tests.flatMap { citedRows(in: $0) }.map(\.text))
        return rows(tree).filter { row in
            page.lines[row.line - 1].contains("observed on Linux") && !played.contains(row.text)
        }.map {
            Finding(
                path: behaviourPath, line: $0.line,
                message: "\($0.text) is 'observed on Linux' and cited by no test in Tests/ParityTests")
        }
    }

    static let citations = Rule(name: "citations") { tree in
        let known = Set((rows(tree) + sections(tree)).map(\.text))
        return tree.files.filter { !$0.isTidy && $0.path != behaviourPath }.flatMap { file -> [Finding] in
            citedRows(in: file).filter { !known.contains($0.text) }.map {
                Finding(path: file.path, line: $0.line, message: "\($0.text) is no row of \(behaviourPath)")
            }
        }
    }

    /// Every `2.I17` in comments of Swift files, in `rows:` of scenarios, and in the documentation; a bare `I17` after
    /// the word BEHAVIOUR is returned as it stands, so that it is found to be no row.
    static func citedRows(in file: SourceFile) -> [SwiftTokens.Piece] {
        places(in: file).flatMap { place in
            words(place.text).filter { isIdentifier($0) }.map { SwiftTokens.Piece(text: String($0), line: place.line) }
                + bareCitations(place)
        }
    }

    /// What of a file may cite: comments, `rows:` of scenarios, documentation.
    private static func places(in file: SourceFile) -> [SwiftTokens.Piece] {
        if file.isSwift { return file.tokens.comments }
        if file.path.hasPrefix("scenarios/") { return numbered(file).filter { $0.text.hasPrefix("rows:") } }
        return file.path.hasPrefix("Documentation/") ? numbered(file) : []
    }

    private static func numbered(_ file: SourceFile) -> [SwiftTokens.Piece] {
        file.lines.enumerated().map { SwiftTokens.Piece(text: String($0.element), line: $0.offset + 1) }
    }

    /// Cut at everything that cannot be part of a row's id; a dot at the end belongs to the sentence.
    private static func words(_ text: String) -> [Substring] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }.map { word in
            word.last == "." ? word.dropLast() : word
        }
    }

    private static func bareCitations(_ place: SwiftTokens.Piece) -> [SwiftTokens.Piece] {
        let words = words(place.text)
        return zip(words, words.dropFirst()).filter { first, second in
            first == "BEHAVIOUR" && (isIdentifier("1." + second) || collections.contains(String(second)))
        }.map { SwiftTokens.Piece(text: String($0.1), line: place.line) }
    }

    /// What an id may begin with.
    private static let collections: Set = ["1", "2", "3"]

    /// `1.D2`, `1.B1-3`, `2.I17`, `2.F2-host`, `3.A1`.
    static func isIdentifier(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let head = Array(parts[0])
        guard head.count >= 4, collections.contains(String(head[0])), head[1] == ".", ("A"..."X").contains(head[2]),
            head[3...].allSatisfy({ ("0"..."9").contains($0) })
        else { return false }
        return parts.count == 1
            || !parts[1].isEmpty && parts[1].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
}
