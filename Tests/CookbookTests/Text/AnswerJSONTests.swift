import Testing

@testable import Cookbook

@Suite("JSON in the making")
struct AnswerJSONTests {
    @Test("Lines are indented, and empty lists stay in theirs")
    func lines() {
        let json = AnswerJSON.object([
            ("a", .array([.number(1), .null])), ("b", .object([])), ("c", .bool(true)),
        ])
        let wanted = "{\n  \"a\": [\n    1,\n    null\n  ],\n  \"b\": {},\n  \"c\": true\n}\n"
        #expect(String(decoding: json.lines, as: UTF8.self) == wanted)
        #expect(String(decoding: json.line, as: UTF8.self) == "{\"a\": [1, null], \"b\": {}, \"c\": true}\n")
    }

    @Test("Quotes, control characters and what looks like a tag are escaped")
    func escapes() {
        let json = AnswerJSON.text("\"\\\n\u{7f}<&>é")
        let wanted = #""\"\\\u000a\u007f\u003c\u0026\u003eé""# + "\n"
        #expect(String(decoding: json.line, as: UTF8.self) == wanted)
        #expect(String(decoding: AnswerJSON.raw(Array("\"<\"".utf8)).line, as: UTF8.self) == "\"\\u003c\"\n")
        #expect(JSONSyntax.holds(json.line))
    }

    @Test("Items of one name are a list")
    func items() {
        let items = [("b", "1"), ("a", "2"), ("b", "3")].map { CookbookItem(name: $0.0, value: $0.1) }
        #expect(
            String(decoding: AnswerJSON.items(items).line, as: UTF8.self) == "{\"a\": \"2\", \"b\": [\"1\", \"3\"]}\n")
    }
}
