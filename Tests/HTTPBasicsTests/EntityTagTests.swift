import HTTPBasics
import Testing

@Suite struct EntityTagTests {
    @Test(arguments: [
        ("\"abc\"", EntityTag("abc")), ("W/\"abc\"", EntityTag("abc", isWeak: true)), ("\"\"", EntityTag("")),
        (" \"a b\"\t", EntityTag("a b")), ("\"W/x\"", EntityTag("W/x")), ("\"ü\\\"", EntityTag("ü\\")),
        ("abc", nil), ("", nil), ("\"", nil), ("W/", nil), ("W/\"", nil), ("w/\"abc\"", nil), ("\"a\"b\"", nil),
        ("\"abc", nil), ("abc\"", nil), ("\"a\", \"b\"", nil), ("\"a\nb\"", nil), ("W/ \"abc\"", nil), ("*", nil),
    ])
    func `A tag is read whole or not at all`(text: String, expected: EntityTag?) {
        #expect(EntityTag(parsing: text) == expected)
    }

    @Test(arguments: ["\"abc\"", "W/\"abc\"", "\"\""])
    func `A tag is printed as it was read`(text: String) {
        #expect(EntityTag(parsing: text)?.description == text)
    }

    /// The table of RFC 9110 8.8.3.2.
    @Test(arguments: [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false), ("W/\"1\"", "\"1\"", false, true),
        ("\"1\"", "\"1\"", true, true), ("\"e\u{301}\"", "\"é\"", false, false),
    ])
    func `Strong and weak comparison`(left: String, right: String, strong: Bool, weak: Bool) throws {
        let left = try #require(EntityTag(parsing: left)), right = try #require(EntityTag(parsing: right))
        #expect(left.stronglyMatches(right) == strong)
        #expect(right.stronglyMatches(left) == strong)
        #expect(left.weaklyMatches(right) == weak)
    }
}
