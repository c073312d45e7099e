import Foundation
import Testing

@testable import SessionNetworking

@Suite struct HTTPCookieTests {
    private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private static var least: [HTTPCookiePropertyKey: Any] { [.name: "a", .value: "1", .domain: "A.Test"] }

    // BEHAVIOUR 2.C13
    @Test func `name, value and domain or origin make a cookie`() throws {
        let cookie = try #require(HTTPCookie(properties: Self.least))
        #expect((cookie.name, cookie.value, cookie.domain, cookie.path, cookie.version) == ("a", "1", "a.test", "/", 0))
        #expect(cookie.isSessionOnly && !cookie.isSecure && !cookie.isHTTPOnly)
        #expect(
            cookie.expiresDate == nil && cookie.comment == nil && cookie.commentURL == nil && cookie.portList == nil)
        let origin: [HTTPCookiePropertyKey: Any] = [.name: "a", .value: "", .originURL: "http://x.test/y/z"]
        let other = try #require(HTTPCookie(properties: origin))
        #expect((other.domain, other.path) == ("x.test", "/y"))
        for key in [HTTPCookiePropertyKey.name, .value, .domain] {
            var properties = Self.least
            properties[key] = nil
            #expect(HTTPCookie(properties: properties) == nil)
        }
    }

    @Test(arguments: ["a\r\nb", "a\0b", "a\n", "1; admin=1", "x\u{1}y", "x\u{7F}"])
    func `what a line of a server cannot have makes none`(text: String) {
        for key in [HTTPCookiePropertyKey.name, .value, .domain, .path] {
            var properties = Self.least
            // Domain and path never go out.
            if [.domain, .path].contains(key), text.contains(";") { continue }
            properties[key] = key == .path ? "/" + text : text
            #expect(HTTPCookie(properties: properties) == nil)
        }
    }

    // BEHAVIOUR 2.C13
    @Test func `a name has no equals sign, a value may`() {
        #expect(HTTPCookie(properties: Self.least.merging([.name: "a=b"]) { $1 }) == nil)
        #expect(HTTPCookie(properties: Self.least.merging([.value: "a=b\tc"]) { $1 })?.value == "a=b\tc")
    }

    // BEHAVIOUR 2.C13
    @Test(arguments: [
        (".b\u{FC}cher.test", ".xn--bcher-kva.test"), ("b\u{FC}cher.test", "xn--bcher-kva.test"), ("\u{FC}/x", nil),
        ("\u{FC}@x", nil), ("\u{FC}:80", nil),
    ])
    func `a domain in letters of others is that of URLs`(domain: String, name: String?) {
        #expect(HTTPCookie(properties: Self.least.merging([.domain: domain]) { $1 })?.domain == name)
    }

    // BEHAVIOUR 2.C13, 2.C14
    @Test func `version 0 heeds the date, version 1 the age`() throws {
        func cookie(_ more: [HTTPCookiePropertyKey: Any]) throws -> HTTPCookie {
            try #require(HTTPCookie(properties: Self.least.merging(more) { $1 }))
        }
        let date = Date(timeIntervalSince1970: 4_000_000_000.25)
        #expect(try cookie([.expires: date]).expiresDate == date)
        #expect(try cookie([.expires: "Thu, 01 Jan 1970 00:00:09 GMT"]).expiresDate == Date(timeIntervalSince1970: 9))
        #expect(try cookie([.expires: date, .maximumAge: "5"]).expiresDate == date)
        #expect(try cookie([.maximumAge: "5"]).isSessionOnly)
        #expect(try cookie([.expires: date, .discard: "TRUE"]).isSessionOnly)
        let aged = try cookie([.version: "1", .maximumAge: "100", .expires: date])
        #expect((90...100).contains(try #require(aged.expiresDate).timeIntervalSinceNow))
        #expect(try cookie([.version: 1]).isSessionOnly)
        #expect(try cookie([.version: 1, .expires: date]).expiresDate == date)
        #expect(try cookie([.version: 1, .expires: "Thu, 01 Jan 2070 00:00:09 GMT"]).isSessionOnly)
        let known = try cookie([.version: 1, .comment: "c", .commentURL: "http://x/", .port: "80, 81", .maximumAge: 7])
        #expect((known.version, known.comment, known.commentURL?.absoluteString) == (1, "c", "http://x/"))
        #expect(known.portList?.map(\.intValue) == [80, 81])
        #expect(try cookie([.comment: "c"]).comment == nil)
    }

    @Test func `flags may be texts, numbers or truths`() throws {
        for value: Any in ["TRUE", "yes", 1, true] as [Any] {
            #expect(HTTPCookie(properties: Self.least.merging([.secure: value]) { $1 })?.isSecure == true)
        }
        for value in ["FALSE", "no", "0", "", 0, false] as [Any] {
            #expect(HTTPCookie(properties: Self.least.merging([.secure: value]) { $1 })?.isSecure == false)
        }
        let strict: [HTTPCookiePropertyKey: Any] = [
            .sameSitePolicy: HTTPCookieStringPolicy.sameSiteStrict, .init("HttpOnly"): 1,
        ]
        let cookie = try #require(HTTPCookie(properties: Self.least.merging(strict) { $1 }))
        #expect(cookie.sameSitePolicy == .sameSiteStrict && cookie.isHTTPOnly)
    }

    @Test func `a cookie is made anew of its properties`() throws {
        let url = try Self.url("https://www.a.test/x/y")
        let fields = [
            "set-cookie": "a=1; Max-Age=1000; Domain=a.test; Secure; HttpOnly; SameSite=Lax, b=2, c=3; Path=/z"
        ]
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: fields, for: url)
        #expect(cookies.map(\.name) == ["a", "b", "c"])
        #expect(cookies.map(\.domain) == [".a.test", "www.a.test", "www.a.test"])
        #expect(cookies.map(\.path) == ["/x", "/x", "/z"])
        for cookie in cookies {
            let copy = try #require(cookie.properties.flatMap { HTTPCookie(properties: $0) })
            #expect(copy == cookie && copy.hash == cookie.hash)
        }
        #expect(cookies[0] != cookies[1])
        let odd = HTTPCookie.cookies(
            withResponseHeaderFields: ["set-cookie": "a=1"], for: try Self.url("http://a;b.test/c;d/e"))
        #expect(odd.count == 1)
        for cookie in odd { #expect(cookie.properties.flatMap { HTTPCookie(properties: $0) } == cookie) }
        #expect(HTTPCookie.cookies(withResponseHeaderFields: ["Cookie": "a=1"], for: url).isEmpty)
    }

    @Test func `what goes out is one field`() throws {
        let url = try Self.url("http://a.test/")
        let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": "a=1, b=2"], for: url)
        #expect(HTTPCookie.requestHeaderFields(with: cookies) == ["Cookie": "a=1; b=2"])
        #expect(HTTPCookie.requestHeaderFields(with: []) == [:])
    }

    @Test func `no text of a cookie has its value`() throws {
        let cookie = try #require(HTTPCookie(properties: Self.least.merging([.value: "s3cret"]) { $1 }))
        for text in [cookie.description, cookie.debugDescription, "\(cookie)", String(reflecting: cookie)] {
            #expect(text.contains("a.test") && !text.contains("s3cret"))
        }
        var dumped = ""
        dump(cookie, to: &dumped)
        #expect(!dumped.contains("s3cret"))
        let storage = HTTPCookieStorage()
        storage.setCookie(cookie)
        #expect(storage.description.contains("1 cookie") && !storage.description.contains("s3cret"))
    }
}
