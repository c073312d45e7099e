import HTTPBasics
import Testing

@testable import ServerScript

/// WHATWG HTML 9.2.6: what stands in an event stream.
@Suite struct TemplatePlaceTests {
    private func places(_ text: String) -> [TextTemplate.Place] {
        TextTemplate(text, isEventStream: true)?.pieces.compactMap { piece in
            if case .word(_, let place) = piece { return place }
            return nil
        } ?? []
    }

    @Test(
        "A word has the place of its line",
        arguments: [
            ("data: $now\n\n", [TextTemplate.Place.eventLines("data: ")]), ("data:$now", [.eventLines("data: ")]),
            (": $now\n", [.eventLines(": ")]), ("event: $now\ndata: $now\n", [.eventField, .eventLines("data: ")]),
            ("id: a$now\n", [.eventField]), ("retry: $now\r\n$now", [.eventField, .plain]), ("$request.body", [.plain]),
            (#"data: {"a": "$now", "b": $now}"# + "\n", [.jsonText, .eventLines("data: ")]),
            ("data: {\ndata: \"$now\"\n", [.eventLines("data: ")]),
        ])
    func places(text: String, wanted: [TextTemplate.Place]) {
        #expect(places(text) == wanted)
    }

    @Test("Lines end with CR, LF or both")
    func lines() {
        #expect(TextTemplate.Place.lines("a\rb\nc\r\n\r\nd\u{2028}e") == ["a", "b", "c", "", "d\u{2028}e"])
        #expect(TextTemplate.Place.eventLines("data: ").written("a\r\rb\n") == "a\ndata: \ndata: b\ndata: ")
        #expect(TextTemplate.Place.eventField.written("a\r\nid: 1\r") == "aid: 1")
    }

    @Test("What a request brings begins no event of its own")
    func injection() throws {
        let text = "event: $request.query.e\nid: $request.query.e\ndata: <$request.query.d>\n\n"
        let reply = Reply(
            fields: Fields([.init("Content-Type", "Text/Event-Stream; charset=utf-8")]), framing: .close,
            timeline: [.raw(.text(text))])
        var exchange = Exchange(RequestMatch("GET", "/"), reply: reply)
        exchange.request.query = []
        try ServerPlay.run(Script(routes: [Route(exchange)])) { play in
            play.connect()
            play.ask("GET /?e=x%0Ddata:%20no&d=one%0D%0Aevent:%20two%0A%0Adata:three")
            let wanted = "event: xdata: no\nid: xdata: no\ndata: <one\ndata: event: two\ndata: \ndata: data:three>\n\n"
            try play.book.check("body", play.body(), is: wanted)
        }
    }
}
