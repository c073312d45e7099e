import HTTPBasics
import Testing

@testable import ServerScript

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    @Test(
        "What is read is written again the same",
        arguments: [
            "null", "true", "false", "0", "-1.50e+3", "\"\"", "[]", "{}", "[1,[2,{\"a\":\"b\"}]]",
            "{\"b\":1,\"a\":[null]}",
            "\"\\\"\\\\\\n\\r\\t\\u0001é\"",
        ])
    func again(text: String) throws { #expect(try read(text).text == text) }

    @Test("Blanks and escapes")
    func escapes() throws {
        #expect(try read(" { \"a\" :\t[ 1 , 2 ]\r\n} ").text == "{\"a\":[1,2]}")
        #expect(try read("\"\\u0041\\/\\b\\f\\ud83d\\ude00\"") == .text("A/\u{8}\u{c}😀"))
    }

    @Test(
        "What is no JSON is refused with its place",
        arguments: [
            ("", "it ends too early at byte 0"), ("[1,]", "no value at byte 3"),
            ("{\"a\":1,}", "no name of a member at byte 7"),
            ("{\"a\" 1}", "no colon at byte 5"), ("[1", "a list that is not closed at byte 2"),
            ("{} x", "more behind its end at byte 3"),
            ("01", "no number at byte 0"), ("1.", "no number at byte 0"), ("1e", "no number at byte 0"),
            ("-", "no number at byte 0"),
            ("1e1234567890", "no number at byte 0"), ("\"a", "a text that is not closed at byte 2"),
            ("\"\u{1}\"", "a control character at byte 1"), ("\"\\x\"", "an unknown escape at byte 3"),
            ("\"\\ud800\"", "half a character at byte 7"), ("\"\\udc00\"", "half a character at byte 7"),
            ("{\"a\":1,\"a\":2}", "a name twice in an object at byte 10"), ("nul", "no value at byte 0"),
            ("{\"a\":1", "an object that is not closed at byte 6"),
        ])
    func mistakes(text: String, complaint: String) {
        #expect(throws: Malformed("no JSON: " + complaint)) { try read(text) }
    }

    @Test("Depth and size have bounds")
    func bounds() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try read(deepest) }
        #expect(throws: Malformed.self) { try read("[" + deepest + "]") }
        #expect(throws: Malformed.self) { try JSONReader.read(Array(repeating: 0x20, count: (1 << 20) + 1)) }
        #expect(throws: Malformed("no JSON: no UTF-8 in the text before at byte 3")) {
            try JSONReader.read([0x22, 0xff, 0x22])
        }
    }

    @Test("Numbers are compared by what they mean")
    func numbers() throws {
        for (left, right) in [("1", "1.0"), ("10e-1", "1"), ("0", "-0.0e5"), ("1200", "1.2E3"), ("0.001", "1e-3")] {
            #expect(JSONNumber(left) == JSONNumber(right), "\(left) \(right)")
            #expect(JSONNumber(left)?.hashValue == JSONNumber(right)?.hashValue)
        }
        for (left, right) in [("1", "-1"), ("1", "10"), ("0.1", "0.01"), ("9007199254740993", "9007199254740992")] {
            #expect(JSONNumber(left) != JSONNumber(right), "\(left) \(right)")
        }
    }

    @Test("Values are found by names and positions")
    func paths() throws {
        let value = try read("{\"a\":{\"b\":[1,{\"c\":2}]}}")
        #expect(value.value(at: "a.b.1.c".split(separator: "."))?.text == "2")
        for path in ["a.c", "a.b.2", "a.b.x", "a.b.0.c"] { #expect(value.value(at: path.split(separator: ".")) == nil) }
    }
}
