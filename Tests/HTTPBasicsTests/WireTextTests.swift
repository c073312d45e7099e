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
        arguments: ["Authorization", "PROXY-AUTHORIZATION", "cookie", "Set-Cookie"])
    func secrets(field: String) {
        let sent = text("GET / HTTP/1.1\r\n\(field): Basic YW5uOnB3\r\nA: b\r\n\r\n")
        #expect(sent == [#"GET / HTTP/1.1\r\n\#(field):[hidden]\r\nA: b\r\n\r\n"#])
        #expect(text("\(field):s3cret\n t00\nA: b") == [#"\#(field):[hidden]\n [hidden]\nA: b"#])
    }

    @Test("However the bytes are divided, no secret shows")
    func pieces() {
        let whole = "GET / HTTP/1.1\r\nAuthorization: Basic YW5uOnB3\r\nHost: a\r\n\r\n"
        for length in 1...whole.utf8.count {
            var wire = WireText()
            var seen = "", rest = Array(whole.utf8)[...]
            while !rest.isEmpty {
                seen += wire.text(rest.prefix(length), limit: 160)
                rest = rest.dropFirst(length)
            }
            let shown = seen.replacing("[hidden]", with: "")
            #expect(shown == #"GET / HTTP/1.1\r\nAuthorization:\r\nHost: a\r\n\r\n"#)
        }
    }

    @Test("A secret is hidden before the rest is cut: it takes no room, and shows no beginning")
    func cut() {
        let secret = String(repeating: "x", count: 500)
        #expect(text("Cookie:\(secret)\r\nHost: a", limit: 17) == [#"Cookie:[hidden]\r\nHost: a"#])
        #expect(text("Cookie:\(secret)", limit: 3) == ["Coo…"])
    }

    @Test("Other fields, and names that only begin or end like it, are shown")
    func others() {
        let text = text("X-Cookie: a\r\nCookies: b\r\nA Cookie: c\r\n")
        #expect(text == [#"X-Cookie: a\r\nCookies: b\r\nA Cookie: c\r\n"#])
    }
}
