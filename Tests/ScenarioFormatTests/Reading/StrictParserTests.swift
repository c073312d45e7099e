import Testing

@testable import ScenarioFormat

@Suite("Strict parser")
struct StrictParserTests {
    private func parse(_ text: String) -> (SourceNode?, [Diagnostic]) {
        let log = DiagnosticLog(source: SourceText(file: "a.yaml", text: text))
        var parser = StrictParser(source: log.source, log: log)
        return (parser.parse(), log.diagnostics)
    }

    @Test("nodes carry position, length and quoting")
    func nodes() {
        let (root, diagnostics) = parse("a: 'b c'\nd: [e, \"f\\\"g\"]\r\n")
        #expect(diagnostics.isEmpty)
        let quoted = root?.value(of: "a"), list = root?.value(of: "d")?.items
        #expect(quoted?.scalar == "b c" && quoted?.plain == nil && quoted?.length == 5)
        #expect(list?.map(\.mark.column) == [5, 8] && list?.map(\.length) == [1, 6])
        #expect(list?.first?.plain == "e")
    }

    @Test("a mistake at the end of the text lies inside it", arguments: ["a: {b:\n2", "a: [", "a: {b:\n2\n"])
    func end(text: String) throws {
        let mark = try #require(parse(text).1.first?.mark)
        #expect(mark.line == text.split(separator: "\n", omittingEmptySubsequences: false).count)
    }

    @Test("aliases that would explode are refused before they are parsed")
    func explosion() {
        var text = "a: &a0 [x]\n"
        for level in 1..<40 { text += "k\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        text += "? *a39\n: x\n"
        let (root, diagnostics) = parse(text)
        #expect(root == nil)
        #expect(diagnostics.map(\.message) == ["anchors and aliases are not part of the format"])
    }

    @Test("deep nesting is refused at every opening", arguments: ["[", "{a: ", "- ", "? "])
    func depth(opening: String) {
        for count in [21, 900, 1100, 20_000] {
            let (_, diagnostics) = parse(String(repeating: opening, count: count))
            #expect(!diagnostics.isEmpty)
        }
    }

    @Test("many duplicates end in a message", arguments: [2, 15, 40, 400])
    func duplicates(count: Int) {
        let (_, diagnostics) = parse((0..<count).map { "a: \($0)" }.joined(separator: "\n"))
        #expect(diagnostics.contains { $0.message.contains("duplicate key") })
    }

    @Test(
        "odd keys end in a message or a node",
        arguments: [
            "? : a\n? : b", "\"\": a\n\"\": b", "\"\\x41\": a\n'A': b", "? [a]\n: b\n? [a]\n: c",
            "? |\n  a\n: b\n? |\n  a\n: c", "*a : b",
        ])
    func oddKeys(text: String) {
        let (root, diagnostics) = parse(text)
        #expect(root == nil || !diagnostics.isEmpty)
    }
}
