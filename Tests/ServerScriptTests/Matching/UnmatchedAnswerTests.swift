import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct UnmatchedAnswerTests {
    private let violation = Violation(
        "GET /c matches nothing", nearest: SourceMark(file: "s.yaml", line: 3, column: 5),
        differences: ["target: wanted /a, got /c"],
        closest: [
            .init(
                title: "the route GET /a", mark: SourceMark(file: "s.yaml", line: 3, column: 5),
                differences: ["target: wanted /a, got /c"]),
            .init(title: "the route GET /b", mark: nil, differences: ["x", "y"]),
        ])

    private func content(_ accept: String?) -> (type: String, text: String) {
        let fields = Fields(accept.map { [.init("Accept", $0)] } ?? [])
        return UnmatchedAnswer(violation, status: 404).content(
            for: ReceivedHead(method: "GET", target: "/c", fields: fields))
    }

    @Test(
        "Text for anyone, JSON for who asks for it",
        arguments: ["application/json", "text/html, application/problem+json;q=0.5"])
    func types(accept: String) throws {
        for other in [nil, "*/*", "text/html", "application/jsonp"] {
            #expect(content(other).type == "text/plain; charset=utf-8")
        }
        #expect(content(accept).type == "application/problem+json")
        let wanted =
            #"{"type":"about:blank","title":"Not Found","status":404,"detail":"GET /c matches nothing","#
            + #""closest":[{"what":"the route GET /a","file":"s.yaml","line":3,"differences":["target: wanted /a, got /c"]},"#
            + #"{"what":"the route GET /b","differences":["x","y"]}]}"#
        #expect(content(accept).text == wanted + "\n")
        #expect(throws: Never.self) { try JSONReader.read(Array(content(accept).text.utf8)) }
    }

    @Test("The text has the closest of them, and the others behind it")
    func text() {
        #expect(
            content(nil).text == """
                GET /c matches nothing
                closest: s.yaml:3:5
                  target: wanted /a, got /c
                then: the route GET /b
                  x
                  y

                """)
    }
}
