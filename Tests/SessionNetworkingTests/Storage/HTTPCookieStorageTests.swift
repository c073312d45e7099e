import Foundation
import Locks
import Testing

@testable import SessionNetworking

@Suite struct HTTPCookieStorageTests {
    private let storage = HTTPCookieStorage()

    private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private static func cookie(_ name: String, _ more: [HTTPCookiePropertyKey: Any] = [:]) throws -> HTTPCookie {
        let properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: "1", .domain: "a.test"]
        return try #require(HTTPCookie(properties: properties.merging(more) { $1 }))
    }

    private func changes(of name: NSNotification.Name, while work: () throws -> Void) rethrows -> Int {
        let count = Lock(0)
        let observer = NotificationCenter.default.addObserver(forName: name, object: storage, queue: nil) { _ in
            count.withLock { $0 += 1 }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try work()
        return count.withLock { $0 }
    }

    @Test func `a cookie is found where it goes, and goes when it is deleted`() throws {
        storage.setCookie(try Self.cookie("a"))
        storage.setCookie(try Self.cookie("b", [.path: "/x"]))
        storage.setCookie(try Self.cookie("c", [.domain: ".a.test", .secure: true]))
        #expect(storage.cookies?.map(\.name) == ["a", "b", "c"])
        #expect(storage.cookies(for: try Self.url("http://a.test/x"))?.map(\.name) == ["b", "a"])
        #expect(storage.cookies(for: try Self.url("https://y.a.test/"))?.map(\.name) == ["c"])
        #expect(storage.cookies(for: try Self.url("http://other.test/")) == [])
        storage.deleteCookie(try Self.cookie("a", [.value: "other"]))
        #expect(storage.cookies?.map(\.name) == ["b", "c"])
    }

    // BEHAVIOUR 2.C25-expired
    @Test func `a cookie that has expired removes its predecessor`() throws {
        storage.setCookie(try Self.cookie("a"))
        storage.setCookie(try Self.cookie("a", [.expires: Date(timeIntervalSinceNow: -1)]))
        #expect(storage.cookies == [])
    }

    @Test func `what was set since a date is removed`() throws {
        storage.setCookie(try Self.cookie("a"))
        storage.removeCookies(since: Date(timeIntervalSinceNow: 100))
        #expect(storage.cookies?.count == 1)
        storage.removeCookies(since: Date(timeIntervalSinceNow: -100))
        #expect(storage.cookies?.isEmpty == true)
    }

    @Test func `cookies are sorted as the caller likes`() throws {
        for name in ["b", "c", "a"] { storage.setCookie(try Self.cookie(name)) }
        let names = NSSortDescriptor(keyPath: \HTTPCookie.name, ascending: false)
        #expect(storage.sortedCookies(using: [names]).map(\.name) == ["c", "b", "a"])
        #expect(storage.sortedCookies(using: []).map(\.name) == ["b", "c", "a"])
    }

    // BEHAVIOUR 2.C1, 2.C2
    @Test(arguments: [
        (HTTPCookie.AcceptPolicy.always, nil, true), (.always, "http://b.test/", true), (.never, nil, false),
        (.onlyFromMainDocumentDomain, nil, true), (.onlyFromMainDocumentDomain, "http://www.a.test/x", true),
        (.onlyFromMainDocumentDomain, "http://b.test/", false), (.onlyFromMainDocumentDomain, "data:,x", false),
    ])
    func `the policy decides`(policy: HTTPCookie.AcceptPolicy, document: String?, isKept: Bool) throws {
        #expect(storage.cookieAcceptPolicy == .always)
        storage.cookieAcceptPolicy = policy
        storage.setCookies(
            [try Self.cookie("a")], for: try Self.url("http://a.test/"), mainDocumentURL: try document.map(Self.url))
        #expect(storage.cookies?.isEmpty == !isKept)
    }

    // BEHAVIOUR 2.C22-domain, 2.C24-secure
    @Test func `a place sets what it may set`() throws {
        let cookies = [
            try Self.cookie("a"), try Self.cookie("b", [.domain: "b.test"]), try Self.cookie("c", [.secure: true]),
            try Self.cookie("d", [.domain: ".test"]),
        ]
        storage.setCookies(cookies, for: try Self.url("http://a.test/"), mainDocumentURL: nil)
        #expect(storage.cookies?.map(\.name) == ["a"])
        storage.setCookies(cookies, for: nil, mainDocumentURL: nil)
        #expect(storage.cookies?.count == 4)
    }

    // BEHAVIOUR 2.C12
    @Test func `each change is posted once, and nothing else is`() throws {
        let cookie = try Self.cookie("a")
        #expect(changes(of: .NSHTTPCookieManagerCookiesChanged) { storage.setCookie(cookie) } == 1)
        #expect(changes(of: .NSHTTPCookieManagerCookiesChanged) { _ = storage.cookies } == 0)
        #expect(changes(of: .NSHTTPCookieManagerCookiesChanged) { storage.deleteCookie(cookie) } == 1)
        #expect(changes(of: .NSHTTPCookieManagerCookiesChanged) { storage.deleteCookie(cookie) } == 0)
        #expect(changes(of: .NSHTTPCookieManagerAcceptPolicyChanged) { storage.cookieAcceptPolicy = .never } == 1)
        #expect(changes(of: .NSHTTPCookieManagerAcceptPolicyChanged) { storage.cookieAcceptPolicy = .never } == 0)
        #expect(changes(of: .NSHTTPCookieManagerCookiesChanged) { storage.setCookie(cookie) } == 0)
    }

    @Test func `configurations share a storage, ephemeral ones have their own`() {
        #expect(URLSessionConfiguration.default.httpCookieStorage === HTTPCookieStorage.shared)
        let one = URLSessionConfiguration.ephemeral, other = URLSessionConfiguration.ephemeral
        #expect(one.httpCookieStorage !== other.httpCookieStorage && one.httpCookieStorage !== HTTPCookieStorage.shared)
        #expect(one.httpCookieAcceptPolicy == .onlyFromMainDocumentDomain && one.httpShouldSetCookies)
        one.httpCookieStorage = nil
        one.httpCookieAcceptPolicy = .always
        one.httpShouldSetCookies = false
        #expect(one.httpCookieStorage == nil && one.httpCookieAcceptPolicy == .always && !one.httpShouldSetCookies)
    }
}
