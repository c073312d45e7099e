@testable import ScenarioFormat

/// The reference section of Documentation/SCENARIO-FORMAT.md, printed from the table.
enum KeyReference {
    static let beginning = "<!-- keys: printed from Sources/ScenarioFormat/Keys, do not edit -->"
    static let end = "<!-- end of keys -->"

    static func markdown() -> String {
        KeyContext.allCases.map(section).joined(separator: "\n\n")
    }

    private static func section(_ context: KeyContext) -> String {
        let title = context.phrase.prefix(1).uppercased() + context.phrase.dropFirst()
        var lines = ["### \(title.replacing("'", with: "`"))", "", "| key | value | meaning |", "|---|---|---|"]
        for key in KeyTable.keys(of: context) {
            let name = "`\(key.name)`" + (key.isRequired ? " (required)" : "")
            lines.append("| \(name) | \(key.kind.description) | \(key.meaning) |")
        }
        let planned = KeyTable.plannedKeys(of: context).keys.sorted()
        if !planned.isEmpty {
            lines += ["", "Not yet: " + planned.map { "`\($0)`" }.joined(separator: ", ") + "."]
        }
        return lines.joined(separator: "\n")
    }
}
