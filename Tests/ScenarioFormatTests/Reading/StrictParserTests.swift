import Testing

@testable import ScenarioFormat

@Suite("Strict parser")
struct StrictParserTests {
    private func parse(_ text: String) -> (SourceNode?, [Diagnostic]) {
        let log = DiagnosticLog(source: SourceText(file: "a.yaml", text: text))
        let parser = StrictParser(source: log.source, log: log)
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
        #expect(mark.line == text.split(separator: "\n").count)
    }

    /// Followed, they would be 2^40 nodes.
    @Test(
        "aliases are refused where they stand, and never followed",
        arguments: [
            { "k\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" },
            { "k\($0): &a\($0) {\"x\":*a\($0 - 1), \"y\":*a\($0 - 1)}\n" },
            { "? &a\($0) {? *a\($0 - 1) : {\"z\":*a\($0 - 1)}}\n: x\n" }, { "'k\($0)': {\"x\":*a0}\n" },
        ] as [@Sendable (Int) -> String])
    func explosion(line: @Sendable (Int) -> String) {
        let (_, diagnostics) = parse("a: &a0 [x]\n" + (1..<41).map(line).joined() + "? *a40\n: x\n")
        #expect(diagnostics.count == DiagnosticLog.limit + 1)
        #expect(diagnostics.dropLast().allSatisfy { $0.message == "anchors and aliases are not part of the format" })
    }

    @Test("a very long line of mistakes costs no more than its length")
    func longLine() {
        let text = "a: [" + String(repeating: "~,", count: 120_000) + "]"
        #expect(parse(text).1.count == DiagnosticLog.limit + 1)
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

    @Test(
        "directives are refused wherever they stand",
        arguments: [
            ("%YAML 1.1\n---\na: b", 1), ("# one\n\n%TAG ! tag:a,2000:\n---\na: b", 3), ("\n%YAML 1.1\n--- a", 2),
        ])
    func directives(text: String, line: Int) {
        let (root, diagnostics) = parse(text)
        #expect(root == nil)
        #expect(diagnostics.map(\.message) == ["YAML directives are not part of the format"])
        #expect(diagnostics.first?.mark.line == line)
    }
}
