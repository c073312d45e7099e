/// What a client is called broken for not keeping: `RFC 9110 9.2.2: SHOULD NOT retry ...`, a section with its key
/// word (RFC 2119), or `documentation of URLSessionTask.suspend: ...`, the client's own.
package struct Clause: Hashable, Sendable {
    package let text: String

    /// Nil where nothing is named that one could look up.
    package init?(_ text: String) {
        guard let colon = text.firstRange(of: ": "), colon.upperBound < text.endIndex else { return nil }
        let source = text[..<colon.lowerBound].split(separator: " ", omittingEmptySubsequences: false)
        let words = text[colon.upperBound...].split(separator: " ")
        let isDocumentation = source.count == 3 && source.starts(with: ["documentation", "of"]) && !source[2].isEmpty
        guard isDocumentation || Clause.isSection(source) && words.contains(where: Clause.keyWords.contains) else {
            return nil
        }
        self.text = text
    }

    private static let keyWords: Set<Substring> = ["MUST", "SHALL", "SHOULD"]

    /// Three words: `RFC`, its number, the section's.
    private static func isSection(_ words: [Substring]) -> Bool {
        func isNumber(_ text: Substring) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard words.count == 3, words[0] == "RFC", isNumber(words[1]) else { return false }
        return words[2].split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isNumber)
    }
}
