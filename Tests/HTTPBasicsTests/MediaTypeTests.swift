import HTTPBasics
import Testing

@Suite struct MediaTypeTests {
    @Test(
        arguments: [
            ("text/html", "text/html", nil), ("Text/HTML; Charset=UTF-8", "text/html", "UTF-8"),
            ("text/plain;charset=\"iso-8859-1\"", "text/plain", "iso-8859-1"),
            ("text/plain ; x=y ;charset = utf-8 ; z", "text/plain", "utf-8"),
            ("text/plain; x=\"a;charset=wrong\"; charset=right", "text/plain", "right"),
            ("text/plain; x=\"\\\";charset=wrong\"; charset=right", "text/plain", "right"),
            ("text/plain; charset", "text/plain", nil), ("text/plain; charset=", "text/plain", nil),
            ("text/plain; charset=a; charset=b", "text/plain", "a"), ("text/plain;;;charset=a", "text/plain", "a"),
            ("  application/vnd.a+json  ", "application/vnd.a+json", nil), ("a/b, c/d", "a/b", nil),
            ("text/plain; charset=\"open", "text/plain", "open"), ("text/plain; charset=\"\\", "text/plain", "\\"),
        ] as [(String, String, String?)])
    func `Type and charset are found`(text: String, essence: String, charset: String?) throws {
        let type = try #require(MediaType(parsing: text))
        #expect(type.essence == essence)
        #expect(type.charset == charset)
    }

    @Test(arguments: ["", "text", "text/", "/html", ";charset=x", "text /html", "\"text\"/html", "ü/ö"])
    func `Without type and subtype there is no media type`(text: String) {
        #expect(MediaType(parsing: text) == nil)
    }

    @Test func `Parameters are quoted where they must be`() {
        let parameters = [Parameter("a", "b"), Parameter("c", "d \"e\\"), Parameter("f", "")]
        let type = MediaType("Text", "Plain", parameters: parameters)
        #expect(type.description == "text/plain; a=b; c=\"d \\\"e\\\\\"; f=\"\"")
        #expect(MediaType(parsing: type.description) == type)
    }

    @Test func `The number of parameters is bounded`() {
        let text = "a/b" + (0..<10_000).map { ";p\($0)=x" }.joined()
        #expect(MediaType(parsing: text)?.parameters.count == 32)
    }
}
