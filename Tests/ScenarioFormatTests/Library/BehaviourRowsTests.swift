import Foundation
import Testing

@testable import ScenarioFormat

@Suite("Behaviour rows")
struct BehaviourRowsTests {
    @Test("Rows of tables and ids of headings count, other words do not")
    func ids() {
        let text = """
            # Behaviour
            ### 1.D2 Timers
            | Row | Rule |
            |---|---|
            | 1.D2-fraction | Fractions of seconds count |
            | 2.I17 | Two lengths are one too many |
            Text about 1.C1.
            | 2.x | nothing |
            """
        #expect(BehaviourRows.ids(in: text) == ["1.D2", "1.D2-fraction", "2.I17"])
    }

    @Test("A scenario that names a row that is not there is an error, with the nearest one")
    func unknown() throws {
        let text = """
            scenario: a/b
            about: One request.
            rows: [1.D2-fracton]
            server: [{request: GET /}]
            client: [{task: t, request: GET /}, {await: t}]
            expect: {t: ok}
            """
        let result = ScenarioReader.read(text: text, file: "a/b.yaml", knownRows: ["1.D2", "1.D2-fraction"])
        let rendered = result.diagnostics.map { $0.rendered() }.joined()
        #expect(rendered.contains("a/b.yaml:3:8: error: no row '1.D2-fracton'"))
        #expect(rendered.contains("did you mean '1.D2-fraction'?"))
    }

    @Test("Without a document beside the scenarios nothing is known, and nothing is wrong")
    func none() { #expect(BehaviourRows.ids(beside: "/nonexistent/scenarios") == nil) }
}
