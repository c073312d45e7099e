import ServerScript
import Testing

@testable import ScenarioFormat

@Suite("Diagnostic")
struct DiagnosticTests {
    @Test("renders position, line, caret and remedy")
    func shape() {
        let line = "  - {conn: A, request: GET /one, replay: {status: 200}}"
        let diagnostic = Diagnostic(
            .error, at: SourceMark(file: "pool/x.yaml", line: 8, column: 34), length: 6,
            message: "unknown key 'replay' in a server exchange",
            remedy: "did you mean 'reply'? allowed: conn, fault", line: line)
        #expect(
            diagnostic.rendered() == """
                pool/x.yaml:8:34: error: unknown key 'replay' in a server exchange
                  8 |   - {conn: A, request: GET /one, replay: {status: 200}}
                    |                                  ^^^^^^ did you mean 'reply'? allowed: conn, fault
                """)
    }

    @Test("without a line there is no caret")
    func noLine() {
        let mark = SourceMark(file: "a.yaml", line: 1, column: 1)
        #expect(Diagnostic(.warning, at: mark, message: "odd").rendered() == "a.yaml:1:1: warning: odd")
        let mended = Diagnostic(.warning, at: mark, message: "odd", remedy: "mend it")
        #expect(mended.rendered() == "a.yaml:1:1: warning: odd\n  mend it")
    }

    @Test("positions outside the line do not trap", arguments: [0, 1, 5, 6, 7, 100, Int.max])
    func bounds(column: Int) {
        let mark = SourceMark(file: "a.yaml", line: 1, column: column)
        let text = Diagnostic(.error, at: mark, length: .max, message: "m", line: "hello").rendered()
        #expect(text.contains("^"))
    }

    @Test("the log keeps twenty mistakes, each once, in the order of the file")
    func log() {
        let log = DiagnosticLog(source: SourceText(file: "a.yaml", text: String(repeating: "x\n", count: 40)))
        for line in (1...30).reversed() {
            for _ in 0..<2 { log.add(.error, "wrong", at: log.source.mark(line, 1)) }
        }
        #expect(log.isFull && log.hasErrors)
        #expect(log.diagnostics.count == 21)
        #expect(log.diagnostics.first?.mark.line == 11)
        #expect(log.diagnostics.last?.message == "more than 20 mistakes: the others are not shown")
    }
}
