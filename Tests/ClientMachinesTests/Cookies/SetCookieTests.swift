import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct SetCookieTests {
    private static let now = CookieTime(UnixTime(seconds: 1_000_000))

    // BEHAVIOUR 2.C20-pair
    @Test(arguments: [
        ("a=1", "a", "1"), (" \ta\t = 1 ;x", "a", "1"), ("a==", "a", "="), ("a=\"1;2\"", "a", "\"1"), ("a=", "a", ""),
        ("a;b=1", nil, nil), ("=1", nil, nil), (" =1", nil, nil), ("", nil, nil), (";a=1", nil, nil),
        // BEHAVIOUR 2.C20-controls
        ("a=1\u{1}", nil, nil), ("a=1; x=\u{7F}", nil, nil), ("a=1; x=\n", nil, nil), ("a=\t1", "a", "1"),
        ("e\u{301}=\u{301}", "e\u{301}", "\u{301}"),
    ])
    func `a pair is what stands before the first semicolon`(line: String, name: String?, value: String?) {
        let cookie = SetCookie(line)
        #expect(cookie?.name == name)
        #expect(cookie?.value == value)
    }

    // BEHAVIOUR 2.C20-size
    @Test func `what is too long is no cookie, or no attribute`() {
        let most = String(repeating: "x", count: 4095)
        #expect(SetCookie("a=" + most) != nil)
        #expect(SetCookie("ab=" + most) == nil)
        #expect(SetCookie(most + "b=c") == nil)
        let path = "/" + String(repeating: "x", count: 1023)
        #expect(SetCookie("a=1; Path=\(path)")?.path == path)
        #expect(SetCookie("a=1; Path=/y; Path=\(path)x")?.path == "/y")
    }

    @Test func `attributes are read in any case, the last one counts`() throws {
        let line =
            "a=1; EXPIRES=Thu, 01 Jan 1970 00:00:09 GMT; max-age=5; DOMAIN=.X.Test; path=/p; secure; HTTPONLY; samesite=LAX"
        let cookie = try #require(SetCookie(line))
        #expect(cookie.expires?.seconds == 9)
        #expect(cookie.maxAge == 5)
        #expect(cookie.domain == "x.test")
        #expect(cookie.path == "/p")
        #expect(cookie.isSecure && cookie.isHTTPOnly)
        #expect(cookie.sameSite == "lax")
        let other = try #require(SetCookie("a=1; Path=/x; Path=y; SameSite=lax; SameSite=odd; Domain=x; Domain="))
        #expect(other.path == nil && other.sameSite == nil && other.domain == "x")
    }

    private static let expiries: [(String, Int64?)] = [
        ("", nil), ("; Max-Age=10", 1_000_010), ("; Max-Age=0", Int64.min), ("; Max-Age=-1", Int64.min),
        ("; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:09 GMT", 1_000_010),
        ("; Expires=Thu, 01 Jan 1970 00:00:09 GMT", 9), ("; Max-Age=x", nil), ("; Max-Age=--1", nil),
        ("; Max-Age=99999999999999999999999", 1_000_000 + 400 * 86_400),
        ("; Expires=Thu, 01 Jan 9999 00:00:00 GMT", 1_000_000 + 400 * 86_400),
    ]

    // BEHAVIOUR 2.C21-age
    @Test(arguments: expiries)
    func `when a cookie expires`(attributes: String, seconds: Int64?) throws {
        let url = try #require(URLReference("http://h/x/y"))
        let cookie = try #require(SetCookie("a=1" + attributes)?.cookie(at: url, Self.now))
        #expect(cookie.path == "/x")
        let expected = seconds.map { $0 == .min ? CookieTime.distantPast : CookieTime(UnixTime(seconds: $0)) }
        #expect(cookie.expires == expected)
    }

    // BEHAVIOUR 2.C22-domain
    @Test func `a domain in other letters makes no cookie`() throws {
        let url = try #require(URLReference("http://10.0.0.1/"))
        #expect(SetCookie("a=1; Domain=b\u{FC}cher.test")?.cookie(at: url, Self.now) == nil)
        #expect(SetCookie("a=1; Domain=xn--bcher-kva.test")?.cookie(at: url, Self.now) != nil)
    }

    @Test func `a place without a host has no cookies`() throws {
        let url = try #require(URLReference("data:,x"))
        #expect(SetCookie("a=1")?.cookie(at: url, Self.now) == nil)
        let long = try #require(URLReference("http://" + String(repeating: "x", count: 256)))
        #expect(SetCookie("a=1")?.cookie(at: long, Self.now) == nil)
    }
}
