import HTTPBasics
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.C27-file
@Suite struct CookieFileTextTests {
    private static let now = CookieTime(UnixTime(seconds: 1_000_000))

    private static func entry(_ name: String, _ change: (inout Cookie) -> Void = { _ in }) -> CookieJar.Entry {
        var cookie = Cookie(name: name, value: "1", domain: "a.test", expires: CookieTime(seconds: 0.1))
        change(&cookie)
        return CookieJar.Entry(cookie, created: now, modified: now.advanced(by: 1))
    }

    @Test func `what is written is read back`() throws {
        let entries = [
            Self.entry("a"), Self.entry("b%\t\u{1}ä") { ($0.value, $0.path, $0.isHostOnly) = ("x y%", "/p q", false) },
            Self.entry("c") { ($0.isSecure, $0.isHTTPOnly, $0.sameSite, $0.value) = (true, true, "lax", "") },
            Self.entry("d") { cookie in
                var legacy = Cookie.Legacy()
                (legacy.version, legacy.comment, legacy.ports) = (1, "", [80, 81])
                cookie.legacy = legacy
            },
            Self.entry("e") { $0.expires = CookieTime(seconds: 1.7e308) },
        ]
        #expect(CookieFileText.entries(in: CookieFileText.text(of: entries)) == entries)
        #expect(CookieFileText.entries(in: CookieFileText.text(of: [])) == [])
    }

    // BEHAVIOUR 2.C14
    @Test func `what ends with the session is not written`() {
        let entries = [Self.entry("a") { $0.expires = nil }, Self.entry("b")]
        #expect(CookieFileText.entries(in: CookieFileText.text(of: entries))?.map(\.cookie.name) == ["b"])
    }

    @Test func `a file that lacks a byte, or has another one, is none`() {
        let text = CookieFileText.text(of: [Self.entry("a"), Self.entry("b")])
        for length in 0..<text.count { #expect(CookieFileText.entries(in: Array(text[..<length])) == nil) }
        for index in text.indices {
            var other = text
            other[index] ^= 1
            #expect(CookieFileText.entries(in: other) == nil, "byte \(index)")
        }
        #expect(CookieFileText.entries(in: text + text) == nil)
        #expect(CookieFileText.entries(in: Array("{\"cookies\": []}\n".utf8)) == nil)
    }
}
