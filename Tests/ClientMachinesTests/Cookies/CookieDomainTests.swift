import HTTPBasics
import Testing

@testable import ClientMachines

/// BEHAVIOUR 2.C22-domain
@Suite struct CookieDomainTests {
    @Test(arguments: [
        ("a.test", "a.test", true), ("x.a.test", "a.test", true), ("y.x.a.test", "a.test", true),
        ("xa.test", "a.test", false), ("a.test", "x.a.test", false), (".a.test", "a.test", false),
        ("a.test", "", false),
        ("1.2.3.4", "3.4", false), ("1.2.3.4", "1.2.3.4", true), ("::1", "1", false), ("x.1", "1", false),
    ])
    func `a host matches itself and what it lies below`(host: String, domain: String, matches: Bool) {
        #expect(CookieDomain.matches(host, domain) == matches)
    }

    @Test(
        arguments: [
            ("http://A.test/", "a.test"), ("http://.a.test/", nil), ("http://./", nil), ("http://a.test./", "a.test."),
            ("http:///", nil),
        ] as [(String, String?)])
    func `a host that begins with a dot has no cookies`(url: String, host: String?) {
        #expect(URLReference(url).flatMap(CookieDomain.host) == host)
    }

    @Test(arguments: [
        ("a", "a"), ("a.b", "a.b"), ("a.b.c", "b.c"), ("a.b.c.d", "c.d"), ("1.2.3.4", "1.2.3.4"), ("::1", "::1"),
    ])
    func `an area is the last two labels`(domain: String, area: String) {
        #expect(CookieDomain.area(of: domain) == area)
    }

    // BEHAVIOUR 2.C23-path
    @Test(arguments: [
        ("", "/"), ("x", "/"), ("/", "/"), ("/x", "/"), ("/x/", "/x"), ("/x/y", "/x"), ("//", "/"), ("/x/y/", "/x/y"),
    ])
    func `the standard path is the directory`(path: String, standard: String) {
        #expect(CookiePath.standard(for: path) == standard)
    }

    @Test(arguments: [
        ("/", "/", true), ("", "/", true), ("/x", "/", true), ("/x", "/x", true), ("/x/y", "/x", true),
        ("/xy", "/x", false),
        ("/x/y", "/x/", true), ("/x", "/x/", false), ("/X", "/x", false),
    ])
    func `a path is matched at slashes`(path: String, cookie: String, matches: Bool) {
        #expect(CookiePath.matches(path, cookie) == matches)
    }
}
