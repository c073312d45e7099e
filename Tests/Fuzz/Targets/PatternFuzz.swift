import NIOCore
import ServerScript

/// Regular expressions, targets with captures and items of forms. The first line is the pattern, the rest the text.
enum PatternFuzz {
    static func check(_ bytes: ByteBuffer) throws {
        let input = FuzzInput(bytes)
        let text = String(buffer: input.rest)
        try checkPath(input.firstLine, text)
        _ = FormItems(text).list.count
        guard let pattern = try? TextPattern(input.firstLine) else { return }
        let isFound = pattern.isFound(in: text)
        try demand((isFound == nil) == (text.utf8.count > TextPattern.textLimit), "the bound of a text")
        // `(?i)` stands at the beginning only; a choice between a pattern and itself is the pattern.
        guard !input.firstLine.hasPrefix("(?i)"),
            let twice = try? TextPattern("(?:\(input.firstLine))|(?:\(input.firstLine))")
        else { return }
        try demand(twice.isFound(in: text), equals: isFound, "a choice between a pattern and itself")
    }

    private static func checkPath(_ target: String, _ text: String) throws {
        guard let pattern = PathPattern(target) else { return }
        try demand(PathPattern.objection(to: target) == nil, "a pattern with a mistake")
        let found = pattern.captures(in: text)
        try demand((found != nil) == pattern.matches(text), "captures without a match")
        if let found { try demand(found.map(\.name), equals: pattern.names, "other captures than the pattern has") }
    }
}
