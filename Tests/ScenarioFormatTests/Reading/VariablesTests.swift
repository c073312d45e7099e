import ServerScript
import Testing

@testable import ScenarioFormat

@Suite("Variables")
struct VariablesTests {
    @Test(
        "text is cut at its variables",
        arguments: [
            ("plain", [.text("plain")]), ("$a", [.variable("a")]), ("$a /hop", [.variable("a"), .text(" /hop")]),
            ("x$first-send.", [.text("x"), .variable("first-send"), .text(".")]),
            ("$a-$b", [.variable("a"), .text("-"), .variable("b")]), ("cost: $5 or $", [.text("cost: $5 or $")]),
            ("$$a", [.text("$a")]), ("$origin/x", [.text("$origin/x")]), ("$origin.b.test", [.text("$origin.b.test")]),
            ("$original", [.variable("original")]), ("", [.text("")]),
            // The server counts the dollars before its word: two are one, and only the odd one asks for a URL.
            ("$$origin/x", [.text("$$origin/x")]), ("$$$origin", [.text("$$$origin")]),
            ("$$original", [.text("$original")]), ("$$$a", [.text("$"), .variable("a")]), ("$$$$$", [.text("$$$")]),
        ] as [(String, [Variables.Piece])])
    func pieces(text: String, wanted: [Variables.Piece]) {
        #expect(Variables.pieces(of: text) == wanted)
    }

    @Test("a whole scalar takes the node, inside text it takes the text")
    func substitution() throws {
        let text = """
            vars: {fields: {X-A: [a, b]}, path: one, line: "GET /$path"}
            server:
              - {request: $line, reply: {headers: $fields, body: "at $path for $$2 of $origin"}}
            """
        let scenario = try #require(ScenarioReader.read(text: text, file: "a.yaml").scenario)
        guard case .exchange(let exchange)? = scenario.cases.first?.script.steps.first?.action else {
            Issue.record("no exchange")
            return
        }
        #expect(exchange.request.target == "/one")
        #expect(exchange.reply?.fields.list.map(\.value) == ["a", "b"])
        #expect(exchange.reply?.body == .text("at one for $2 of $origin"))
    }

    @Test(
        "a dollar sign that a variable's text follows is one, and asks for no URL",
        arguments: [
            ("$$$x", "origin", "$$origin"), ("$$$x/", "$origin", "$$$origin/"), ("$$$x", "original", "$original"),
            ("$$$$$x", "origin.b.test", "$$$$origin.b.test"), ("a$$ $x", "origin", "a$ origin"),
        ])
    func beforeVariables(text: String, value: String, wanted: String) throws {
        let file = """
            vars: {x: "\(value)"}
            server: [{request: GET /, reply: {body: "\(text)"}}]
            """
        let script = try #require(ScenarioReader.read(text: file, file: "a.yaml").scenario?.cases.first?.script)
        guard case .exchange(let exchange)? = script.steps.first?.action else {
            Issue.record("no exchange")
            return
        }
        #expect(exchange.reply?.body == .text(wanted))
    }
}
