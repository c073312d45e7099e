/// Files that a rule does not judge yet: `exemptions.txt`, which may only get shorter.
///
/// One entry a line: the rule, the file, and after `#` the reason.
struct Exemptions: Equatable {
    struct Entry: Hashable {
        var rule: String
        var path: String
        var line: Int
    }

    private(set) var entries: [Entry] = []
    /// Lines that are no entry.
    private(set) var faults: [String] = []

    static let path = "Tests/TidyTests/exemptions.txt"

    init(_ text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let parts = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let words = parts[0].split(separator: " ")
            if words.isEmpty { continue }
            let hasReason = parts.count == 2 && parts[1].contains { $0.isLetter }
            if words.count == 2, hasReason, Rule.all.contains(where: { $0.name == words[0] }) {
                entries.append(Entry(rule: String(words[0]), path: String(words[1]), line: index + 1))
            } else {
                faults.append("\(Self.path):\(index + 1): not 'rule path  # reason'")
            }
        }
    }

    func covers(_ finding: Finding, of rule: Rule) -> Bool {
        entries.contains { $0.rule == rule.name && $0.path == finding.path }
    }

    /// Entries that excuse nothing, because the file is in order or gone.
    func unneeded(in tree: SourceTree) -> [Entry] {
        entries.filter { entry in
            !Rule.all.contains { rule in
                rule.name == entry.rule
                    && rule.findings(tree).contains { $0.weight == .failure && $0.path == entry.path }
            }
        }
    }
}
