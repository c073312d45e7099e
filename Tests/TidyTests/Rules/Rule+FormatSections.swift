/// The sections of Documentation/SCENARIO-FORMAT.md and the comments that cite them: `SCENARIO-FORMAT 'Styles'`.
extension Rule {
    static let formatPath = "Documentation/SCENARIO-FORMAT.md"

    static let formatSections = Rule(name: "format-sections") { tree in
        let known = Set(tree.file(formatPath)?.lines.filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) } ?? [])
        return tree.files.filter { $0.isSwift && !$0.isTidy }.flatMap { file in
            file.tokens.comments.flatMap { comment -> [Finding] in
                let cited = comment.text.matches(of: /SCENARIO-FORMAT '([^']*)'/).map(\.1)
                let unknown = cited.filter { !known.contains($0) }.map { "'\($0)' is no section of \(formatPath)" }
                let numbers = comment.text.matches(of: /\bdecision [0-9]+/).map {
                    "'\($0.0)' is on no list: name a section of \(formatPath), or a row of \(behaviourPath)"
                }
                return (unknown + numbers).map { Finding(path: file.path, line: comment.line, message: $0) }
            }
        }
    }
}
