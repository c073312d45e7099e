/// Bounds on how much a reader must hold in mind.
extension Rule {
    static let fileSize = Rule(name: "file-size") { tree in
        tree.swift.compactMap { file in
            finding(file, line: 1, size: file.lineCount, soft: 350, hard: 500, "the file")
        }
    }

    static let functionSize = Rule(name: "function-size") { tree in
        tree.swift.flatMap { file in
            functions(in: file.tokens.code).compactMap { function in
                finding(file, line: function.line, size: function.length, soft: 40, hard: 70, function.name)
            }
        }
    }

    /// Code is the formatter's business; this is for what it cannot break: comments, and scenarios, where a flow map
    /// keeps an exchange on one line.
    static let columns = Rule(name: "columns") { tree in
        tree.files.filter { $0.isSwift || $0.path.hasPrefix("scenarios/") }.flatMap { file -> [Finding] in
            let hard = file.isSwift ? 120 : 140
            return file.lines.indices.compactMap { index in
                // The formatter does not count the comma at the end.
                let line = file.lines[index]
                let width = line.last == "," ? line.count - 1 : line.count
                guard width > 120, !holdsLongLiteral(index + 1, file) else { return nil }
                return Finding(
                    path: file.path, line: index + 1, message: "\(width) columns; 120 is the limit",
                    weight: width > hard ? .failure : .warning)
            }
        }
    }

    /// Whether the line lies in a string that has no place to be broken at.
    private static func holdsLongLiteral(_ line: Int, _ file: SourceFile) -> Bool {
        file.tokens.literals.contains { literal in
            let last = literal.line + literal.text.count { $0 == "\n" }
            return literal.line...last ~= line && (last > literal.line || literal.text.count > 80)
        }
    }

    private static func finding(
        _ file: SourceFile, line: Int, size: Int, soft: Int, hard: Int, _ what: String
    ) -> Finding? {
        guard size > soft else { return nil }
        return Finding(
            path: file.path, line: line, message: "\(what) has \(size) lines; aim at \(soft), never over \(hard)",
            weight: size > hard ? .failure : .warning)
    }

    struct Function: Equatable { var name: String, line: Int, length: Int }

    /// Functions, initialisers, subscripts and computed properties with a body.
    static func functions(in code: [SwiftTokens.Piece]) -> [Function] {
        code.indices.compactMap { start in
            guard let name = declaredName(at: start, in: code), let open = bodyStart(after: start, in: code),
                let close = closingBrace(of: open, in: code)
            else { return nil }
            return Function(name: name, line: code[start].line, length: code[close].line - code[start].line + 1)
        }
    }

    private static func declaredName(at index: Int, in code: [SwiftTokens.Piece]) -> String? {
        let next = index + 1 < code.count ? code[index + 1].text : ""
        let isMember = index > 0 && code[index - 1].text == "."
        switch code[index].text {
        case "func", "var": return next
        case "init", "subscript": return !isMember && ["(", "?", "!", "<"].contains(next) ? code[index].text : nil
        case "deinit": return "deinit"
        default: return nil
        }
    }

    private static let declarations: Set = [
        "func", "var", "let", "init", "deinit", "case", "subscript", "associatedtype", "typealias", "struct", "class",
        "enum", "protocol", "extension", "import", "static", "mutating", "private", "package", "public", "open",
        "internal", "fileprivate", "override", "return", "}",
    ]

    /// The brace that opens the body; nil for a requirement and for a stored property.
    private static func bodyStart(after start: Int, in code: [SwiftTokens.Piece]) -> Int? {
        let isProperty = code[start].text == "var"
        var depth = 0
        for index in code.indices[(start + 1)...] {
            let piece = code[index]
            switch piece.text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return index
            default: break
            }
            if depth < 0 { return nil }
            guard depth == 0 else { continue }
            if isProperty, piece.text == "=" || piece.line > code[start].line { return nil }
            if index > start + 1, declarations.contains(piece.text) { return nil }
        }
        return nil
    }

    private static func closingBrace(of open: Int, in code: [SwiftTokens.Piece]) -> Int? {
        var depth = 0
        for index in code.indices[open...] {
            if code[index].text == "{" { depth += 1 }
            if code[index].text == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
