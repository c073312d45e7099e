import HTTPBasics
import Testing

@testable import ClientMachines

@Suite struct CookieJarTests {
    private static let now = CookieTime(UnixTime(seconds: 1_000_000))

    private static func url(_ text: String) throws -> URLReference { try #require(URLReference(text)) }

    private func take(
        _ lines: String..., from place: String = "http://www.a.test/", at now: CookieTime = CookieJarTests.now,
        into jar: inout CookieJar
    ) throws -> Bool {
        jar.take(lines, from: try Self.url(place), at: now, UsualSuffixes())
    }

    private func field(_ jar: inout CookieJar, _ place: String, at now: CookieTime = CookieJarTests.now) throws
        -> String?
    {
        jar.field(for: try Self.url(place), at: now)
    }

    @Test func `cookies go to their host, their domain, their path`() throws {
        var jar = CookieJar()
        _ = try take("h=1", "d=2; Domain=a.test", "p=3; Path=/p", into: &jar)
        #expect(try field(&jar, "http://www.a.test/") == "h=1; d=2")
        #expect(try field(&jar, "http://WWW.A.test/p/q") == "p=3; h=1; d=2")
        #expect(try field(&jar, "http://x.a.test/p") == "d=2")
        #expect(try field(&jar, "https://a.test:81") == "d=2")
        #expect(try field(&jar, "http://a.test.example/") == nil)
        #expect(try field(&jar, "http://test/") == nil)
        #expect(jar.count == 3)
    }

    // BEHAVIOUR 2.C12, 2.C25-order
    @Test func `a new value keeps the place of the old one`() throws {
        var jar = CookieJar()
        _ = try take("a=1", "b=2", into: &jar)
        #expect(try take("a=3", at: Self.now.advanced(by: 5), into: &jar))
        #expect(try field(&jar, "http://www.a.test/") == "a=3; b=2")
        #expect(jar.entries.map(\.created) == [Self.now, Self.now])
        #expect(jar.entries.map(\.modified) == [Self.now.advanced(by: 5), Self.now])
    }

    // BEHAVIOUR 2.C25-expired
    @Test func `what has expired goes nowhere, and removes what it replaces`() throws {
        var jar = CookieJar()
        _ = try take("a=1; Max-Age=5", "b=2", into: &jar)
        #expect(try field(&jar, "http://www.a.test/", at: Self.now.advanced(by: 4)) == "a=1; b=2")
        #expect(try field(&jar, "http://www.a.test/", at: Self.now.advanced(by: 5)) == "b=2")
        #expect(try take("b=; Max-Age=0", into: &jar))
        #expect(!(try take("b=; Max-Age=0", into: &jar)))
        #expect(jar.isEmpty)
    }

    // BEHAVIOUR 2.C25-expired
    @Test func `what has expired leaves the jar, which is no change`() throws {
        var jar = CookieJar()
        _ = try take("a=1; Max-Age=5", "b=2; Max-Age=5; Path=/b", into: &jar)
        _ = jar.takeChanges()
        let later = Self.now.advanced(by: 6)
        #expect(try take("a=3", at: later, into: &jar))
        #expect(jar.entries.map(\.created) == [later])
        #expect(jar.takeChanges().map(\.name) == ["a"])
        _ = try take("c=1; Max-Age=5", from: "http://c.test/", at: later, into: &jar)
        _ = jar.takeChanges()
        jar.evictExpired(at: later.advanced(by: 5))
        #expect(jar.count == 1 && jar.takeChanges().isEmpty)
    }

    // BEHAVIOUR 2.C12
    @Test func `names, paths and values are bytes`() throws {
        var jar = CookieJar()
        _ = try take("\u{E9}=1", "e\u{301}=2", "x=1; Path=/\u{E9}", "x=2; Path=/e\u{301}", into: &jar)
        #expect(jar.count == 4)
        #expect(try field(&jar, "http://www.a.test/") == "\u{E9}=1; e\u{301}=2")
        let cookies = ["\u{E9}", "e\u{301}"].map { Cookie(name: "a", value: $0, domain: "a.test") }
        #expect(cookies[0] != cookies[1])
        _ = try take("\u{E9}=; Max-Age=0", into: &jar)
        #expect(jar.count == 3)
    }

    // BEHAVIOUR 2.C24-prefix
    @Test func `a name of a host alone wants its Path`() throws {
        var jar = CookieJar()
        let refused = [
            "__Host-a=1; Secure", "__host-a=1; Secure; Path=/x", "__HOST-a=1; Secure; Path=/; Domain=1.2.3.4",
        ]
        for line in refused {
            #expect(!(try take(line, from: "https://1.2.3.4/", into: &jar)), "\(line)")
        }
        #expect(try take("__Host-a=1; Secure; Path=/", from: "https://1.2.3.4/x/y", into: &jar))
    }

    // BEHAVIOUR 2.C24-overlay
    @Test func `what is not secure does not hide what is`() throws {
        var jar = CookieJar()
        _ = try take("a=1; Secure; Path=/x; Domain=a.test", from: "https://www.a.test/", into: &jar)
        for line in ["a=2; Path=/x", "a=2; Path=/x/y", "a=2; Path=/x; Domain=a.test", "a=; Max-Age=0; Path=/x"] {
            #expect(!(try take(line, into: &jar)), "\(line)")
        }
        #expect(!(try take("a=2; Path=/x", from: "http://y.www.a.test/", into: &jar)))
        #expect(!(try take("a=2; Path=/x", from: "http://a.test/", into: &jar)))
        #expect(try take("a=2; Path=/", into: &jar))
        #expect(try take("a=2; Path=/x", from: "http://other.test/", into: &jar))
        #expect(try take("a=3; Secure; Path=/x; Domain=a.test", from: "https://www.a.test/", into: &jar))
        #expect(try field(&jar, "http://www.a.test/x") == "a=2")
        #expect(try field(&jar, "https://www.a.test/x") == "a=3; a=2")
    }

    // BEHAVIOUR 2.C22-suffix
    @Test func `a host that is a public suffix has cookies for itself`() throws {
        var jar = CookieJar()
        #expect(try take("a=1; Domain=co.uk", from: "http://co.uk/", into: &jar))
        #expect(!(try take("b=1; Domain=co.uk", from: "http://x.co.uk/", into: &jar)))
        #expect(try take("c=1; Domain=10.0.0.1", from: "http://10.0.0.1/", into: &jar))
        #expect(!(try take("d=1; Domain=0.1", from: "http://10.0.0.1/", into: &jar)))
        #expect(jar.entries.map(\.cookie.isHostOnly) == [true, true])
    }

    // BEHAVIOUR 2.C26-count
    @Test func `of a domain, and of all, those go that were not used`() throws {
        var limits = CookieLimits()
        (limits.ofDomain, limits.total) = (3, 5)
        var jar = CookieJar(limits)
        _ = try take("a=1; Path=/a", "b=2; Secure; Path=/b", "c=3; Path=/c", from: "https://x.test/", into: &jar)
        #expect(try field(&jar, "http://x.test/a") == "a=1")
        _ = try take("d=4; Path=/d", from: "http://x.test/", into: &jar)
        #expect(jar.entries.map(\.cookie.name) == ["a", "b", "d"])
        _ = try take("e=5", "f=6", from: "http://y.test/", into: &jar)
        #expect(jar.count == 5)
        _ = try take("g=7", from: "http://z.test/", into: &jar)
        // Of all it does not count whether they are secure.
        #expect(jar.entries.map(\.cookie.name) == ["a", "d", "e", "f", "g"])
        _ = try take("h=8; Max-Age=1", from: "http://z.test/", into: &jar)
        _ = try take("i=9", from: "http://z.test/", at: Self.now.advanced(by: 2), into: &jar)
        #expect(jar.entries.map(\.cookie.name).suffix(2) == ["g", "i"])
    }

    // BEHAVIOUR 2.C26-count
    @Test func `fifty lines of an answer are read`() throws {
        var jar = CookieJar()
        let lines = (0..<60).map { "a\($0)=1; Path=/\($0)" }
        _ = jar.take(lines, from: try Self.url("http://a.test/"), at: Self.now, UsualSuffixes())
        #expect(jar.count == 50)
    }

    // BEHAVIOUR 2.C26-field
    @Test func `what does not fit into the field is left out`() {
        let cookies = [4000, 4000, 4000, 100].enumerated().map { index, size in
            Cookie(name: "\(index)", value: String(repeating: "x", count: size), domain: "a.test")
        }
        let field = CookieJar.field(of: cookies, 8190)
        #expect(field?.utf8.count == 8004 + 2 + 2 + 102)
        #expect(field?.contains("; 3=") == true)
        #expect(CookieJar.field(of: []) == nil)
    }

    @Test func `changes are told once`() throws {
        var jar = CookieJar()
        _ = try take("a=1", "b=2", into: &jar)
        #expect(jar.takeChanges().map(\.name).sorted() == ["a", "b"])
        #expect(jar.takeChanges().isEmpty)
        #expect(jar.removeAll { $0.cookie.name == "a" })
        #expect(jar.takeChanges().map(\.name) == ["a"])
        #expect(!jar.removeAll { _ in false })
    }

    @Test func `a host of many labels is no work`() throws {
        var jar = CookieJar()
        _ = try take("a=1; Domain=a.test", into: &jar)
        let place = "http://" + String(repeating: "x.", count: 120) + "a.test/"
        #expect(try field(&jar, place) == "a=1")
        #expect(try field(&jar, "http://" + String(repeating: "x.", count: 20_000) + "a.test/") == nil)
    }

    // BEHAVIOUR 2.C20-bytes
    @Test func `bytes that are not UTF-8 come back as UTF-8, and count as that`() throws {
        var jar = CookieJar()
        let place = try Self.url("http://a.test/"), now = Self.now
        func line(_ count: Int) -> String { String(wire: Array("a=".utf8) + Array(repeating: 0xE9, count: count)) }
        _ = jar.take([line(1)], from: place, at: now, UsualSuffixes())
        #expect(jar.field(for: place, at: now).map { Array($0.utf8) } == Array("a=".utf8) + [0xC3, 0xA9])
        let isTaken = jar.take([line(2_048)], from: place, at: now, UsualSuffixes())
        #expect(!isTaken)
    }
}
