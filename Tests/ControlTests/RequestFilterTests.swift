import HTTPBasics
import Testing

@testable import Control

@Suite struct RequestFilterTests {
    @Test(
        "A star is any characters, everything else itself",
        arguments: [
            ("/a", "/a", true), ("/a", "/ab", false), ("/a*", "/ab", true), ("*b", "/ab", true), ("*", "", true),
            ("/*/c", "/a/b/c", true), ("/*/d", "/a/b/c", false), ("a*b*c", "aXbXbXc", true), ("", "", true),
            ("", "a", false), ("**", "a", true), ("a*", "", false),
        ])
    func stars(pattern: String, text: String, fits: Bool) {
        #expect(RequestFilter.matches(Array(pattern.utf8), Array(text.utf8)) == fits)
    }

    @Test func `what is too long to be compared with everything is refused`() throws {
        let long = String(repeating: "a", count: 1025)
        #expect(throws: Problem.self) { try RequestFilter(JSONObject(["path": long], "a filter")) }
        #expect(throws: Problem.self) { try RequestFilter(JSONObject(["fields": ["X": long]], "a filter")) }
        #expect(try RequestFilter(JSONObject(["path": "/a"], "a filter")).path == "/a")
    }

    @Test func `of credentials only the scheme can be asked for, and what could not be told is refused`() throws {
        func filter(_ value: String) throws -> RequestFilter {
            try RequestFilter(JSONObject(["fields": ["authorization": value]], "a filter"))
        }
        let kept = Secrets.kept(Fields([.init("Authorization", "Bearer zzz")]))
        for value in ["Bearer", "Bearer *", "B*"] {
            #expect(try filter(value).matches(method: "GET", target: "/", fields: kept))
        }
        #expect(try !filter("Basic *").matches(method: "GET", target: "/", fields: kept))
        #expect(try filter("Bearer *").description.hasSuffix("authorization: Bearer *"))
        for value in ["Bearer zzz", "Bearer z*", "* zzz", "abc123"] {
            #expect(throws: Problem.self) { try filter(value) }
        }
    }

    @Test func `no pattern makes it slow`() {
        let pattern = Array(repeating: Array("a*".utf8), count: 2000).joined() + Array("b".utf8)
        #expect(!RequestFilter.matches(Array(pattern), Array(repeating: UInt8(ascii: "a"), count: 20_000)))
    }

    @Test func `all conditions must hold, and a query counts where the path has one`() {
        let fields = Fields([.init("Accept", "text/html"), .init("X-Id", "7")])
        func fits(_ filter: RequestFilter) -> Bool { filter.matches(method: "GET", target: "/a?x=1", fields: fields) }
        #expect(fits(RequestFilter()) && fits(RequestFilter(method: "GET", path: "/a", fields: ["accept": "text/*"])))
        #expect(fits(RequestFilter(path: "/a?x=*")) && !fits(RequestFilter(path: "/a?x=2")))
        #expect(!fits(RequestFilter(method: "get")) && !fits(RequestFilter(fields: ["X-Id": "8"])))
        #expect(!fits(RequestFilter(fields: ["Missing": "*"])))
    }
}
