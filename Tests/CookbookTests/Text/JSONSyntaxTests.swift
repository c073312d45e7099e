import Testing

@testable import Cookbook

@Suite("What is JSON")
struct JSONSyntaxTests {
    @Test(arguments: [
        "null", " true ", "false", "0", "-0.5e+3", "12E-1", "\"\"", #""\u00e9\n\/""#, "[]", "[1, [2]]", "{}",
        #"{"a": {"b": []}, "a": 1}"#, "\"é\"",
    ])
    func `a text of RFC 8259 is`(text: String) { #expect(JSONSyntax.holds(Array(text.utf8))) }

    @Test(arguments: [
        "", " ", "nul", "01", "+1", "1.", ".5", "1e", "-", "\"", #""\x""#, #""\u00g0""#, "\"\n\"", "[1,]", "[1 2]", "[",
        "{", "{a: 1}", #"{"a" 1}"#, #"{"a": }"#, #"{"a": 1,}"#, "1 2", "truex", "'a'",
    ])
    func `nothing else is`(text: String) { #expect(!JSONSyntax.holds(Array(text.utf8))) }

    @Test("What is too deep is none, nor what is not in UTF-8")
    func depth() {
        let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(JSONSyntax.holds(Array(nested(64).utf8)))
        #expect(!JSONSyntax.holds(Array(nested(65).utf8)))
        #expect(!JSONSyntax.holds(Array(nested(60_000).utf8)))
        #expect(!JSONSyntax.holds([0x22, 0xff, 0x22]))
    }
}
