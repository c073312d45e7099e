import HTTPBasics
import Testing

@Suite struct URLReferenceParsingTests {
    @Test(arguments: [
        ("", URLReference()),
        ("http://h", URLReference(scheme: "http", host: "h")),
        ("HtTp://Host.Example", URLReference(scheme: "HtTp", host: "Host.Example")),
        (
            "https://u:p@h:443/a/b?c=d#e",
            URLReference(
                scheme: "https", userInformation: "u:p", host: "h", port: 443, path: "/a/b", query: "c=d", fragment: "e"
            )
        ),
        ("http://h:/", URLReference(scheme: "http", host: "h", path: "/")),
        ("http://h:00080/", URLReference(scheme: "http", host: "h", port: 80, path: "/")),
        ("http://h:65535", URLReference(scheme: "http", host: "h", port: 65535)),
        ("http://h?q", URLReference(scheme: "http", host: "h", query: "q")),
        ("http://h#f", URLReference(scheme: "http", host: "h", fragment: "f")),
        ("http://h?", URLReference(scheme: "http", host: "h", query: "")),
        ("http://h/#", URLReference(scheme: "http", host: "h", path: "/", fragment: "")),
        ("http://h/?a?b#c#d?e", URLReference(scheme: "http", host: "h", path: "/", query: "a?b", fragment: "c#d?e")),
        ("//h/p", URLReference(host: "h", path: "/p")),
        ("/p", URLReference(path: "/p")),
        ("p/q", URLReference(path: "p/q")),
        ("?q", URLReference(query: "q")),
        ("#f", URLReference(fragment: "f")),
        ("file:///etc/x", URLReference(scheme: "file", host: "", path: "/etc/x")),
        ("mailto:ann@example.com", URLReference(scheme: "mailto", path: "ann@example.com")),
        ("localhost:8080/x", URLReference(scheme: "localhost", path: "8080/x")),
        ("1:2", URLReference(path: "1:2")),
        ("a/b:c", URLReference(path: "a/b:c")),
        ("http://[::1]/", URLReference(scheme: "http", host: "::1", path: "/")),
        ("http://[2001:DB8::192.0.2.1]:8080", URLReference(scheme: "http", host: "2001:DB8::192.0.2.1", port: 8080)),
        ("http://[fe80::1%25eth0]/", URLReference(scheme: "http", host: "fe80::1%25eth0", path: "/")),
        ("http://a@b@h/", URLReference(scheme: "http", userInformation: "a@b", host: "h", path: "/")),
        ("http://h/a@b:c", URLReference(scheme: "http", host: "h", path: "/a@b:c")),
        ("http://bücher.example/", URLReference(scheme: "http", host: "bücher.example", path: "/")),
    ])
    func `The components are those of RFC 3986`(text: String, expected: URLReference) {
        #expect(URLReference(text) == expected)
    }

    @Test(arguments: ["/a b", "/ü?ö", "/a|b{c}^`\"<>\\", "/%zz%", "/a\tb\nc\u{0}", "/[x]?[y]"])
    func `Path and query are kept as they are`(rest: String) throws {
        let url = try #require(URLReference("http://h" + rest))
        #expect(url.host == "h")
        #expect(url.string == "http://h" + rest)
    }

    @Test(arguments: [
        "http://h:x/", "http://h:65536/", "http://h:-1/", "http://h:+1/", "http://h:99999999999999999999/",
        "http://h:80:81/", "http://h: 80/", "http://h:８/",
        "http://[::1/", "http://::1]/", "http://[]/", "http://[x]/", "http://[::1]x/", "http://[::1]80/",
        "http://[v1.a:b]/", "http://a[::1]/", "http://[::1%25a]b]/", "http://[::g]/",
        "http://a b/", "http://a\tb/", "http://a\nb/", "http://a\u{0}b/", "http://a\u{7F}b/", "http:// h/",
        "http://u r@h/", "http://u\r\n@h/",
        "http://good.example\\@evil.example/", "http://u:p\\@h/", "http://a\\b/", "http://a<b>/", "http://a\"/",
        "http://{a}/", "http://a^b/", "//a|b",
    ])
    func `A doubtful authority is refused`(text: String) {
        #expect(URLReference(text) == nil)
    }

    @Test func `No cut of a URL traps`() {
        let text = "https://us%65r:p@[fe80::1%25en0]:8443/a/../b;c?d=e%20#f"
        for end in text.indices {
            for start in text[..<end].indices { _ = URLReference(String(text[start..<end]))?.string }
        }
    }
}
