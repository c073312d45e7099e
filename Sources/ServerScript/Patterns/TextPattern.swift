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

    /// Whether the pattern is found anywhere in the text; nil for a text that is too long to be searched, or when the
    /// work is used up.
    package func isFound(in text: String, _ work: PatternWork = PatternWork()) -> Bool? {
        guard text.utf8.count <= TextPattern.textLimit, work.left > 0 else { return nil }
        // To take a text apart costs something, too.
        work.spend(text.utf8.count)
        return program.isFound(in: text.unicodeScalars.map(\.value), work)
    }

    /// Why it was not looked for in a text, if it was not.
    package func obstacle(to text: String, _ work: PatternWork) -> String? {
        if text.utf8.count > TextPattern.textLimit {
            return "which is longer than the 16 KiB that a pattern is looked for in"
        }
        return work.left > 0 ? nil : "which was not searched: the patterns that look at this request take too long"
    }

    /// The program follows from the source.
    package static func == (left: TextPattern, right: TextPattern) -> Bool { left.source == right.source }

    package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// How much may still be searched: many patterns look at what is one request's, each in time that it bounds alone.
package final class PatternWork {
    /// Less than a tenth of a second. A pattern of 20 steps takes up to 330,000 for a text of 16 KiB.
    package static let limit = 4_000_000

    /// In steps of a pattern that are come to in one place of a text, and in bytes.
    private(set) var left: Int
    private let limit: Int

    package init(limit: Int = PatternWork.limit) {
        self.limit = limit
        left = limit
    }

    func begin() { left = limit }

    func spend(_ steps: Int) { left -= steps }
}

/// What is wrong with a pattern, and before which of its characters, from 0.
package struct PatternMistake: Error, Hashable, Sendable {
    package let text: String
    package let offset: Int
}
