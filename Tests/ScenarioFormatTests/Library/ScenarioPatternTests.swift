import Testing

@testable import ScenarioFormat

@Suite("Scenario patterns")
struct ScenarioPatternTests {
    @Test(
        "patterns",
        arguments: [
            ("redirect/*", "redirect/post-becomes-get", true), ("redirect/*", "redirect/post-becomes-get/307", true),
            ("redirect/*", "pool/drop", false), ("*/307", "redirect/post-becomes-get/307", false),
            ("**/307", "redirect/post-becomes-get/307", true), ("**", "anything/at/all", true),
            ("**/timeout*", "a/b/timeout-x", true), ("redirect", "redirect/post", true),
            ("redirect/po", "redirect/post", true),
            ("redirect/post/307", "redirect/post", false), ("re?irect/*", "redirect/x", true), ("*x*y", "axbxcy", true),
            ("*x*y", "axbxc", false), ("", "anything", true),
        ])
    func patterns(pattern: String, id: String, wanted: Bool) {
        #expect(ScenarioPattern(pattern).matches(id) == wanted)
    }

    @Test(
        "a pattern for a case asks for its file",
        arguments: [
            ("redirect/post/307", "redirect/post", true), ("redirect/post/3*", "redirect/post", true),
            ("redirect/*/307", "redirect/post", true), ("pool/*/307", "redirect/post", false),
            ("redirect/postal/307", "redirect/post", false), ("**/307", "redirect/post", true),
        ])
    func files(pattern: String, id: String, wanted: Bool) {
        #expect(ScenarioPattern(pattern).mayMatch(fileID: id) == wanted)
    }

    @Test(
        "a pattern that means nothing gets what was probably meant",
        arguments: [
            ("redirct", "did you mean 'redirect'?"), ("redirct/post", "did you mean 'redirect/post'?"),
            ("post-becomes", "did you mean 'redirect/post-becomes-get'?"), ("pool/xyz", "did you mean 'pool'?"),
            ("redirect/post-becomes-gt", "did you mean 'redirect/post-becomes-get'?"),
            ("redirect/post-becomes-get/3007", "did you mean 'redirect/post-becomes-get/307'?"),
            ("zzz", "'understudy list' prints all ids"), ("zzz/*", "'understudy list' prints all ids"),
        ])
    func unmatched(pattern: String, remedy: String) {
        let ids = [
            "pool/drop", "redirect/post-becomes-get", "redirect/post-becomes-get/303", "redirect/post-becomes-get/307",
        ]
        let patterns = ["pool", pattern].map(ScenarioPattern.init)
        let complaint = ScenarioPattern.complaint(of: patterns, meaning: ids, among: ids)
        #expect(complaint == "no case is meant by '\(pattern)'; \(remedy)")
        #expect(ScenarioPattern.complaint(of: [ScenarioPattern("pool")], meaning: ids, among: ids) == nil)
    }
}
