import HTTPBasics
import Testing

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("abc", "abc"), ("%41%62", "Ab"), ("a%20b", "a b"), ("%", "%"), ("%4", "%4"), ("%4g", "%4g"),
        ("%2541", "%41"), ("%C3%bc", "ü"), ("%C3", "%C3"), ("x%FFy%41", "x%FFy%41"), ("ü%20", "ü "),
    ])
    func `Escapes are decoded once, and only where the result is text`(text: String, decoded: String) {
        #expect(PercentEncoding.decoded(text) == decoded)
    }
}
