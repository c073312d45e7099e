import Testing

@testable import Harness

@Suite("Patterns over case ids")
struct CasePatternTests {
    @Test(
        "What a pattern selects",
        arguments: [
            ("redirect", "redirect/post/307", true), ("redirect", "redirects/post", false),
            ("redirect/post", "redirect/post", true), ("redirect/post", "redirect/post-becomes-get", false),
            ("scenarios/redirect/post.yaml", "redirect/post/307", true), ("redirect/", "redirect/post", true),
            ("redirect/*", "redirect/post", true), ("redirect/*", "redirect/post/307", false),
            ("redirect/**", "redirect/post/307", true), ("**/307", "redirect/post/307", true),
            ("*", "a", true), ("*", "a/b", false), ("**", "a/b/c", true), ("*post*", "repost", true),
            ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false), ("", "", true), ("*", "", true),
        ])
    func matches(pattern: String, id: String, holds: Bool) { #expect(CasePattern(pattern).matches(id) == holds) }

    @Test("Many stars take no exponential time")
    func stars() {
        #expect(!CasePattern(String(repeating: "*a", count: 40) + "b").matches(String(repeating: "a", count: 200)))
    }

    @Test(
        "A shard is i/n with 1 <= i <= n",
        arguments: [("1/1", true), ("2/4", true), ("0/4", false), ("5/4", false), ("1", false), ("a/b", false), ("1/2/3", false)])
    func shard(text: String, isValid: Bool) { #expect((Shard(text) != nil) == isValid) }

    @Test("Shards are disjoint and together everything")
    func partition() throws {
        let shards = try (1...3).map { try #require(Shard("\($0)/3")) }
        for ordinal in 0..<20 { #expect(shards.filter { $0.contains(ordinal: ordinal) }.count == 1) }
    }
}
