import Testing

@testable import ScenarioFormat

@Suite("What a broken client is held against")
struct ClauseTests {
    @Test(
        "A section with its key word, or a place in the client's documentation",
        arguments: [
            ("RFC 9110 9.2.2: SHOULD NOT retry", true), ("RFC 3986 5: it SHALL be resolved", true),
            ("RFC 9112 6.3: the client MUST close: at once", true),
            ("documentation of URLSessionTask.suspend: no timer runs", true),
            ("RFC 9110: MUST close", false), ("RFC 9110 9.2.2: should not retry", false),
            ("RFC 9110 9.2.2 MUST close", false),
            ("RFC 9110 9..2: MUST close", false), ("RFC x 9.2: MUST close", false), ("9110 9.2.2: MUST", false),
            ("RFC 9110 9.2.2: ", false), ("documentation of : nothing", false), ("documentation: MUST", false),
            ("", false),
        ])
    func names(_ text: String, isClause: Bool) {
        #expect((Clause(text) != nil) == isClause)
    }
}
