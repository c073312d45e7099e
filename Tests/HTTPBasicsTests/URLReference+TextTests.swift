import HTTPBasics
import Testing

@Suite struct URLReferenceTextTests {
    @Test(arguments: [
        "http://h", "http://u:p@h:81/a;b?c=d&e#f", "//h/p", "/p?q", "p#f", "?q", "#f", "", "http://[::1]:80/",
        "file:///etc", "mailto:a@b", "http://h?", "http://h/#", "http://h//a//b", "a/b:c", "http:a",
        ":", "1:2",
    ])
    func `A reference survives the round trip`(text: String) throws {
        let url = try #require(URLReference(text))
        #expect(url.string == text)
    }

    @Test(arguments: [
        (URLReference(scheme: "file", path: "//a"), "file:/.//a"),
        (URLReference(path: "//a"), "/.//a"),
        (URLReference(path: "a:b"), "./a:b"),
        (URLReference(scheme: "http", host: "h", path: "a"), "http://h/a"),
    ])
    func `A path is never mistaken for something else`(url: URLReference, text: String) {
        #expect(url.string == text)
    }

    @Test func `The description hides the password`() throws {
        let url = try #require(URLReference("http://ann:secret@h/a?b"))
        #expect(url.string == "http://ann:secret@h/a?b")
        #expect("\(url)" == "http://h/a?b")
        #expect(String(reflecting: url) == "http://h/a?b")
        #expect(!"\([url])".contains("secret"))
    }

    @Test(arguments: [
        ("http://h", "/"), ("http://h?q", "/?q"), ("http://h/a/b?c=d#e", "/a/b?c=d"), ("http://u:p@h/a", "/a"),
        ("http://h/a?", "/a?"), ("http://h/%7Ea%2Fb?%20", "/%7Ea%2Fb?%20"), ("http://h//a", "//a"),
        ("http://h/a b?c d", "/a%20b?c%20d"), ("http://h/ü?€", "/%C3%BC?%E2%82%AC"),
        ("http://h/a\r\nX: y", "/a%0D%0AX:%20y"), ("http://h/\u{0}\u{7F}", "/%00%7F"),
        ("http://h/a|b{c}\\\"", "/a|b{c}\\\""), ("a/b", "/a/b"),
    ])
    func `The request target is one safe word`(text: String, target: String) throws {
        let url = try #require(URLReference(text))
        #expect(url.requestTarget == target)
    }

    @Test func `A number sign set by hand does not end the request target`() {
        #expect(URLReference(scheme: "http", host: "h", path: "/a#b", query: "c#d").requestTarget == "/a%23b?c%23d")
    }
}
