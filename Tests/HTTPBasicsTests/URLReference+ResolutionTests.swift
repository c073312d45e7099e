import Foundation
import HTTPBasics
import Testing

@Suite struct URLReferenceResolutionTests {
    static let base = "http://a/b/c/d;p?q"

    /// RFC 3986 5.4.1 and 5.4.2, in the strict reading of "http:g".
    static let vectors = [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
        ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ]

    @Test(arguments: vectors)
    func `The vectors of RFC 3986 section 5_4 hold`(reference: String, expected: String) throws {
        let base = try #require(URLReference(Self.base))
        let resolved = try #require(URLReference(reference)).resolved(against: base)
        #expect(resolved.string == expected)
    }

    static let others = [
        ("http://h", "g", "http://h/g"), ("http://h", "?q", "http://h?q"), ("http://h", "../g", "http://h/g"),
        ("http://h?q", "#f", "http://h?q#f"), ("http://h/a/b", "//i:81/c/../d", "http://i:81/d"),
        ("http://u:p@h:81/a", "/b", "http://u:p@h:81/b"), ("http://u:p@h:81/a", "//i/b", "http://i/b"),
        ("http://h/a/b/", "c", "http://h/a/b/c"), ("http://h/a/b/", "..", "http://h/a/"),
        ("http://h/a//b", "../c", "http://h/a/c"), ("http://h/a/b//", "../c", "http://h/a/b/c"),
        ("http://h/x/a", "HTTP://i/./b/..", "HTTP://i/"), ("http://h/a#old", "b", "http://h/b"),
        ("http://h/a", "/b%2F..%2Fc", "http://h/b%2F..%2Fc"), ("http://h/a?b=c%26d", "?e=%2520", "http://h/a?e=%2520"),
        ("http://h/a/b", "...", "http://h/a/..."), ("file:///a/b", "../../c", "file:///c"),
        ("mailto:x", "y", "mailto:y"), ("a/b", "../c", "/c"), ("/a/b", "c", "/a/c"), ("file:/a", "/.//b", "file:/.//b"),
        ("http://[::1]:8080/a", "b?c", "http://[::1]:8080/b?c"), ("http://h/%7Ea/b", "ü d", "http://h/%7Ea/ü d"),
    ]

    @Test(arguments: others)
    func `Resolution keeps to the algorithm elsewhere`(base: String, reference: String, expected: String) throws {
        let base = try #require(URLReference(base))
        let resolved = try #require(URLReference(reference)).resolved(against: base)
        #expect(resolved.string == expected)
    }

    @Test func `A long path of dots takes linear time and space`() throws {
        let base = try #require(URLReference("http://h/" + String(repeating: "a/", count: 20_000)))
        let climb = try #require(URLReference(String(repeating: "../", count: 30_000) + "g"))
        #expect(climb.resolved(against: base).string == "http://h/g")
    }

    @Test func `A combining mark does not hold on to the slash before it`() throws {
        let base = try #require(URLReference("http://h/a/\u{301}b"))
        let target = try #require(URLReference("c")).resolved(against: base)
        #expect(target.path.utf8.elementsEqual("/a/c".utf8))
    }

    /// Where Foundation (Swift 6.3, Linux) goes its own way, with its result.
    static let differences: [String: String?] = [
        // An empty reference is the base itself (RFC 3986 5.2.2); Foundation makes no URL of it.
        "http://a/b/c/d;p?q + ": nil,
        // Dot segments go also from references that name a host or a scheme (RFC 3986 5.2.2); Foundation keeps them.
        "http://h/a/b + //i:81/c/../d": "http://i:81/c/../d",
        "http://h/x/a + HTTP://i/./b/..": "HTTP://i/./b/..",
        // A path must not turn into a host (RFC 3986 3.3).
        "file:/a + /.//b": "file://b",
        // Foundation encodes at once what is not allowed; here `requestTarget` does it.
        "http://h/%7Ea/b + ü d": "http://h/%7Ea/%C3%BC%20d",
    ]

    @Test(arguments: (vectors.map { (base, $0.0) } + others.map { ($0.0, $0.1) }))
    func `Foundation resolves to the same URL, but for the known differences`(base: String, reference: String) throws {
        let ours = try #require(URLReference(reference)).resolved(against: try #require(URLReference(base))).string
        let theirs = URL(string: reference, relativeTo: URL(string: base))?.absoluteString
        let expected = Self.differences["\(base) + \(reference)"] ?? ours
        #expect(theirs == expected, "ours: \(ours)")
    }
}
