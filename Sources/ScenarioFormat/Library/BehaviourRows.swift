import Foundation

/// The row ids of a behaviour document: what `rows:` of a scenario may name.
package enum BehaviourRows {
    /// The ids in the first column of the document's tables, and those in its headings, which mean a whole section.
    package static func ids(in text: String) -> Set<String> { ids(in: text, behind: ["| ", "### "]) }

    /// Those in the tables alone.
    package static func rows(beside root: String) -> Set<String>? {
        text(beside: root).map { ids(in: $0, behind: ["| "]) }
    }

    private static func ids(in text: String, behind marks: [String]) -> Set<String> {
        var ids: Set<String> = []
        for line in text.split(separator: "\n") {
            guard let mark = marks.first(where: { line.hasPrefix($0) }) else { continue }
            let word = line.dropFirst(mark.count).prefix { $0 != " " }
            if isIdentifier(word) { ids.insert(String(word)) }
        }
        return ids
    }

    /// The ids of `Documentation/BEHAVIOUR.md` beside the folder with the scenarios; nil when there is none.
    package static func ids(beside root: String) -> Set<String>? { text(beside: root).map { ids(in: $0) } }

    private static func text(beside root: String) -> String? {
        let path = URL(fileURLWithPath: root).deletingLastPathComponent()
            .appendingPathComponent("Documentation/BEHAVIOUR.md").path
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// `1.D2`, `1.B1-3`, `2.I17`.
    private static func isIdentifier(_ word: Substring) -> Bool {
        let parts = word.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let part = Int(parts[0]), part > 0, let letter = parts[1].first else { return false }
        return letter.isASCII && letter.isUppercase && parts[1].dropFirst().first?.isNumber == true
    }
}
