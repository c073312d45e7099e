import Foundation
import Testing

@testable import ScenarioFormat

@Suite("Scenario library")
struct ScenarioLibraryTests {
    @Test("finds scenario files by name, sorted, hidden ones left out")
    func find() throws {
        let folder = try TemporaryFolder()
        for name in ["b/two.yaml", "a/one.yaml", "a/deep/three.yaml", ".hidden/x.yaml", "a/.x.yaml", "a/notes.txt"] {
            try folder.write(Array("server: []\n".utf8), to: name)
        }
        let library = try #require(ScenarioLibrary(root: folder.path))
        #expect(library.entries.map(\.id) == ["a/deep/three", "a/one", "b/two"])
        #expect(library.files(matching: []).count == 3)
        #expect(library.files(matching: [ScenarioPattern("a/*")]).map(\.id) == ["a/deep/three", "a/one"])
        #expect(
            library.files(matching: [ScenarioPattern("b"), ScenarioPattern("a/one/case")]).map(\.id) == [
                "a/one", "b/two",
            ])
        #expect(ScenarioLibrary(root: folder.path + "/none") == nil)
    }

    @Test("pages quote scenarios as they are", arguments: QuotingPage.all)
    func quotes(page: String) throws {
        let file = Goldens.package.appendingPathComponent(page)
        let text = try String(contentsOf: file, encoding: .utf8)
        let quoting = QuotingPage(text)
        #expect(!quoting.quotes.isEmpty)
        try Goldens.expect(
            try quoting.withQuotes {
                try String(contentsOf: Goldens.package.appendingPathComponent($0), encoding: .utf8)
            },
            matches: file)
    }

    @Test("the gallery explains thirteen scenarios, and nothing that they do not say")
    func gallery() throws {
        let file = Goldens.package.appendingPathComponent("Documentation/GALLERY.md")
        let page = QuotingPage(try String(contentsOf: file, encoding: .utf8))
        #expect(page.quotes.count == 13)
        for quote in page.quotes {
            #expect(quote.explained.count >= 4, "\(quote.path) is hardly explained")
            let text = QuotingPage.spaced(quote.text)
            for words in quote.explained where !text.contains(QuotingPage.spaced(words)) {
                Issue.record("\(quote.path) does not say '\(words)'")
            }
        }
    }
}

/// A page with scenario files in it: a comment with the path, the file as a block of YAML, then what is said about it.
private struct QuotingPage {
    static let all = ["README.md", "Documentation/SCENARIO-FORMAT.md", "Documentation/GALLERY.md"]

    struct Quote {
        var path: String
        var text: String
        /// What the points of the list behind it begin with.
        var explained: [String]
    }

    private static let opening = "<!-- scenarios/", closing = ".yaml -->\n```yaml\n"

    private var head = ""
    /// Each quote with the text up to the next one.
    private var parts: [(quote: Quote, rest: String)] = []

    var quotes: [Quote] { parts.map(\.quote) }

    init(_ page: String) {
        let pieces = page.components(separatedBy: QuotingPage.opening)
        head = pieces[0]
        for piece in pieces.dropFirst() {
            guard let begin = piece.range(of: QuotingPage.closing),
                let end = piece.range(of: "```\n", range: begin.upperBound..<piece.endIndex)
            else { continue }
            let rest = String(piece[end.upperBound...])
            let points = rest.components(separatedBy: "\n* `").dropFirst()
            let quote = Quote(
                path: "scenarios/\(piece[..<begin.lowerBound]).yaml",
                text: String(piece[begin.upperBound..<end.lowerBound]),
                explained: points.compactMap { $0.components(separatedBy: "`").first })
            parts.append((quote, rest))
        }
    }

    /// The page with the text that `file` gives for each path.
    func withQuotes(_ file: (String) throws -> String) rethrows -> String {
        try parts.reduce(head) { page, part in
            let name = part.quote.path.dropFirst("scenarios/".count).dropLast(".yaml".count)
            return try page + QuotingPage.opening + name + QuotingPage.closing + file(part.quote.path) + "```\n"
                + part.rest
        }
    }

    /// Columns are aligned with spaces in the files.
    static func spaced(_ text: String) -> String { text.split(separator: " ").joined(separator: " ") }
}
