import Testing

@testable import ServerScript

@Suite struct TextTemplateTests {
    @Test("A text is cut at its words; two dollar signs are one, and none asks for a value")
    func pieces() {
        #expect(TextTemplate("plain $5 and $origin") == nil)
        #expect(
            TextTemplate("a $path.id b")?.pieces == [
                .text("a "), .word(.capture("id"), in: .plain), .text(" b"),
            ])
        #expect(TextTemplate("$$path.id")?.plain == "$path.id")
        #expect(TextTemplate("$$$path.id")?.pieces == [.text("$"), .word(.capture("id"), in: .plain)])
        #expect(TextTemplate("$now")?.plain == nil)
    }

    @Test("Inside of a text of JSON is known beforehand")
    func quoting() {
        let template = TextTemplate(#"{"a\"$now": "$path.a", "n": $count.x}"#)
        let places = (template?.pieces ?? []).compactMap { piece -> TextTemplate.Place? in
            if case .word(_, let place) = piece { return place }
            return nil
        }
        #expect(places == [.jsonText, .jsonText, .plain])
        #expect(TextTemplate(#"say "$now""#)?.pieces.contains(.word(.now, in: .jsonText)) == false)
    }
}
