import Testing

@testable import HTTPBasics

@Suite("Bytes of the wire as text")
struct WireTextTests {
    private func text(_ pieces: String..., limit: Int = 1000) -> [String] {
        var wire = WireText()
        return pieces.map { wire.text($0.utf8, limit: limit) }
    }

    @Test("What cannot be printed is escaped, and what is too long is cut")
    func escapes() {
        var wire = WireText()
        #expect(wire.text([71, 13, 10, 92, 0, 255] as [UInt8], limit: 10) == #"G\r\n\\\x00\xff"#)
        #expect(text("0123456789", limit: 10) == ["0123456789"])
        #expect(text("0123456789a", limit: 10) == ["0123456789…"])
    }

    @Test(
        "Secrets are hidden, whatever their field is written like",
        arguments: ["Authorization", "PROXY-AUTHORIZATION", "cookie", "Set-Cookie", "X-Api-Key", "x-auth-token"])
    func secrets(field: String) {
        let sent = text("GET / HTTP/1.1\r\n\(field): Basic YW5uOnB3\r\nA: b\r\n\r\n")
        #expect(sent == [#"GET / HTTP/1.1\r\n\#(field):***\r\nA: b\r\n\r\n"#])
        #expect(text("\(field):s3cret\n t00\nA: b") == [#"\#(field):***\n ***\nA: b"#])
    }

    @Test("However the bytes are divided, no secret shows")
    func pieces() {
        let url = "http://ann:pw@a/?b=1&api_key=abc#c"
        let whole = "GET \(url) HTTP/1.1\r\nAuthorization: Basic YW5uOnB3\r\nReferer: http://a/b\r\n\r\n"
        for length in 1...whole.utf8.count {
            var wire = WireText()
            var seen = "", rest = Array(whole.utf8)[...]
            while !rest.isEmpty {
                seen += wire.text(rest.prefix(length), limit: 160)
                rest = rest.dropFirst(length)
            }
            let shown = seen.replacing("***", with: "")
            // If a piece ends within an authority, its end is not known yet.
            #expect(!["ann", "pw", "abc", "YW5"].contains(where: shown.contains), "\(shown)")
            let parts = ["GET http://", #"/?b=1&api_key=#c HTTP/1.1\r\nAuthorization:\r\nReferer: http://"#, "/b"]
            #expect(parts.allSatisfy(shown.contains), "\(shown)")
        }
    }

    @Test("A secret is hidden before the rest is cut: it takes no room, and shows no beginning")
    func cut() {
        let secret = String(repeating: "x", count: 500)
        #expect(text("Cookie:\(secret)\r\nHost: a", limit: 17) == [#"Cookie:***\r\nHost: a"#])
        #expect(text("Cookie:\(secret)", limit: 3) == ["Coo…"])
    }

    @Test("Other fields, and names that only begin or end like it, are shown")
    func others() {
        let text = text("Cookies: b\r\nA Cookie: c\r\nMonkey: d\r\n")
        #expect(text == [#"Cookies: b\r\nA Cookie: c\r\nMonkey: d\r\n"#])
    }

    @Test(
        "Secrets in URLs are hidden",
        arguments: [
            ("GET /a?token=abc&x=1 HTTP/1.1\r\n", #"GET /a?token=***&x=1 HTTP/1.1\r\n"#),
            ("Location: http://ann:pw@a.test:80/x\r\n", #"Location: http://***@a.test:80/x\r\n"#),
            ("Location: http://a@b@c/x\r\n", #"Location: http://***@c/x\r\n"#),
            ("Location: //a.test:80/x@y\r\n", #"Location: //a.test:80/x@y\r\n"#),
            ("http://a", "http://***"), ("/a?token=abc\r\nCookie: x", #"/a?token=***\r\nCookie:***"#),
            ("Location: /cb#access_token=abc\r\n", #"Location: /cb#access_token=***\r\n"#),
            ("GET /a?access%5Ftoken=abc ", "GET /a?access%5Ftoken=*** "), ("GET /?apiKey=abc ", "GET /?apiKey=*** "),
        ])
    func urls(sent: String, shown: String) { #expect(text(sent) == [shown]) }
}
