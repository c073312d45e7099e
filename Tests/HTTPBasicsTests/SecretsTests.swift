import HTTPBasics
import Testing

@Suite("Secrets")
struct SecretsTests {
    @Test(
        "Of a URL, a target or a text with one, names stay and values go",
        arguments: [
            ("/a?access_token=abc&x=1", "/a?access_token=***&x=1"), ("/a?x=1&API-KEY=abc", "/a?x=1&API-KEY=***"),
            ("/a?X-Amz-Signature=a%20b&X-Amz-Date=1#f", "/a?X-Amz-Signature=***&X-Amz-Date=1#f"),
            ("http://ann:s3cret@a.test:80/x?y=1", "http://***@a.test:80/x?y=1"), ("//ann@b.test", "//***@b.test"),
            ("GET http://a@b:c@d.test/ HTTP/1.1", "GET http://***@d.test/ HTTP/1.1"),
            ("/a?token", "/a?token"), ("/a?token=", "/a?token="), ("/?monkey=1&tokens=2", "/?monkey=1&tokens=2"),
            ("/mail/ann@a.test?x=y@z", "/mail/ann@a.test?x=y@z"), ("password=abc", "password=abc"), ("", ""),
            ("/a??token=b?c&x=1", "/a??token=***&x=1"), ("/a?x=1?key=2", "/a?x=1?key=***"),
            ("to: \"/a?key=abc\", then", "to: \"/a?key=***\", then"), ("http://a.test//x@y", "http://a.test//***@y"),
            ("/cb#access_token=abc&x=1", "/cb#access_token=***&x=1"), ("/a#b?key=c", "/a#b?key=***"),
            ("/a?access%5Ftoken=abc", "/a?access%5Ftoken=***"), ("/a?%74oken=abc&%zz=1", "/a?%74oken=***&%zz=1"),
            ("/a?accessToken=1&APIKey=2&apiKey=3&userId=4", "/a?accessToken=***&APIKey=***&apiKey=***&userId=4"),
            ("/a?user[password]=1&PassWord=2&token2=3", "/a?user[password]=***&PassWord=***&token2=***"),
            ("/a?cookie=1&Authorization=Bearer", "/a?cookie=***&Authorization=***"),
            ("a\nX-Api-Key: b\n c\nX: d", "a\nX-Api-Key:***\n ***\nX: d"),
        ])
    func text(text: String, shown: String) { #expect(Secrets.shown(text) == shown) }

    /// Quadratic, it would take minutes in a debug build.
    @Test(
        "What a stranger sends is gone through once", .timeLimit(.minutes(1)),
        arguments: ["/", "//", "/?"], ["?", "&", "//", "?a", "@", "a@", "aB", "-a", "%6"])
    func length(beginning: String, piece: String) {
        let text = beginning + String(repeating: piece, count: 100_000) + "x=1"
        let hasUser = beginning == "//" && piece.last == "@"
        #expect(Secrets.shown(text).utf8.count == (hasUser ? "//***@x=1" : text).utf8.count)
    }

    @Test(
        "Of a field, only the scheme of credentials",
        arguments: [
            ("Authorization", "Bearer abc", "Bearer"), ("proxy-authorization", "abc", "unknown"),
            ("Cookie", "a=1", "***"), ("Set-Cookie", "a=1; Path=/", "***"), ("X-A", "a=1", "a=1"),
            ("X-Api-Key", "abc", "***"), ("X-Auth-Token", "abc", "***"), ("x-accesstoken", "a", "a"),
            ("Location", "http://ann:b@a.test/", "http://***@a.test/"),
        ])
    func field(name: String, value: String, shown: String) { #expect(Secrets.shown(value, ofField: name) == shown) }

    @Test("A journal keeps what can be compared, and no credentials")
    func kept() {
        let fields = Fields([.init("authorization", "Basic abc"), .init("Cookie", "a=1")])
        #expect(Secrets.kept(fields) == Fields([.init("authorization", "Basic"), .init("Cookie", "a=1")]))
    }
}
