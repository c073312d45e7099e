/// Colours in what a person reads: on a terminal, unless the caller does not want them.
package struct Colors: Sendable {
    package enum Color: Int, Sendable { case red = 31, green = 32 }

    package let areOn: Bool

    package static let none = Colors(isTerminal: false, environment: [:])

    /// `NO_COLOR` with any text says no, as no-color.org has it, and so does a terminal that calls itself dumb.
    package init(isTerminal: Bool, environment: [String: String]) {
        areOn = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    package func paint(_ text: String, _ color: Color) -> String {
        areOn ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }

    private static let verdicts: [(word: String, color: Color)] = [
        ("fulfilled", .green), ("NOT fulfilled", .red), ("ABANDONED", .red),
    ]

    /// A line of `understudy serve`, with its verdict in colour where it begins with one.
    package func verdict(_ line: String) -> String {
        guard let (word, color) = Colors.verdicts.first(where: { line.hasPrefix($0.word) }) else { return line }
        return paint(word, color) + line.dropFirst(word.count)
    }
}
