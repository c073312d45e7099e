import Foundation
import Testing

/// The code of the documentation catalogs is the code between `// snippet` and `// end` in the files beside this one,
/// which is compiled, and run.
@Suite struct ArticleTests {
    private static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    private static let catalogs = ["SessionNetworking", "ScriptedServer"].map {
        root.appendingPathComponent("Sources/\($0)/\($0).docc")
    }

    private static func texts(in folder: URL, ending: String) throws -> [(name: String, text: String)] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.lastPathComponent.hasSuffix(ending) }
            .sorted { $0.path < $1.path }
            .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }

    /// The lines between two marks, without their common indentation, and without empty lines around them.
    static func blocks(_ text: String, from first: String, to last: String) -> [String] {
        var blocks: [String] = [], open: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let mark = line.drop { $0 == " " }
            if let lines = open, mark == last {
                let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
                let text = lines.map { String($0.dropFirst(margin)) }.joined(separator: "\n")
                blocks.append(text.trimmingCharacters(in: .newlines))
                open = nil
            } else if open != nil {
                open?.append(line)
            } else if mark == first {
                open = []
            }
        }
        return blocks
    }

    @Test func `every article shows code that was compiled, and all of that code is shown`() throws {
        let compiled = try Self.texts(in: Self.folder, ending: "Snippets.swift").flatMap { file in
            Self.blocks(file.text, from: "// snippet", to: "// end")
        }
        let articles = try Self.catalogs.flatMap { try Self.texts(in: $0, ending: ".md") }
        var shown: Set<String> = []
        for article in articles {
            for block in Self.blocks(article.text, from: "```swift", to: "```") {
                #expect(compiled.contains(block), "\(article.name):\n\(block)")
                shown.insert(block)
            }
        }
        #expect(shown.count >= 10)
        #expect(compiled.filter { !shown.contains($0) } == [])
    }

    @Test func `blocks lose their indentation and keep their shape`() {
        let text = "a\n    // snippet\n    if x {\n\n        y\n    }\n    // end\nb\n"
        #expect(Self.blocks(text, from: "// snippet", to: "// end") == ["if x {\n\n    y\n}"])
    }
}
