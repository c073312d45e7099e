/// A regular expression that is compiled once, when a script is read, and then looked for in what clients send.
///
/// Its own engine rather than the standard library's: that one goes back over a text as often as a pattern such as
/// `(a+)+b` lets it, so that a client could make the server spin. Here all ways to match are followed side by side,
/// and the time is bounded by the text's length times the pattern's.
package struct TextPattern: Hashable, Sendable {
    /// Longer texts are not searched: they do not match.
    package static let textLimit = 16 << 10

    package let source: String
    private let program: PatternProgram

    package init(_ source: String) throws(PatternMistake) {
        self.source = source
        var reader = PatternReader(source)
        program = try PatternProgram(try reader.read())
    }

    /// Whether the pattern is found anywhere in the text; nil for a text that is too long to be searched.
    package func isFound(in text: String) -> Bool? {
        guard text.utf8.count <= TextPattern.textLimit else { return nil }
        return program.isFound(in: text.unicodeScalars.map(\.value))
    }

    /// The program follows from the source.
    package static func == (left: TextPattern, right: TextPattern) -> Bool { left.source == right.source }

    package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// What is wrong with a pattern, and before which of its characters, from 0.
package struct PatternMistake: Error, Hashable, Sendable {
    package let text: String
    package let offset: Int
}
