import Testing

@testable import ServerScript

@Suite("Suggestion")
struct SuggestionTests {
    static let words = ["reply", "request", "read-body", "times", "conn", "fault", "where"]

    @Test(
        "finds slips of the fingers",
        arguments: [
            ("replay", "reply"), ("reqest", "request"), ("rqeuest", "request"), ("Reply", "reply"), ("time", "times"),
            ("con", "conn"), ("readbody", "read-body"),
        ])
    func near(word: String, wanted: String) {
        #expect(Suggestion.nearest(to: word, among: SuggestionTests.words) == wanted)
    }

    @Test("does not guess", arguments: ["", "xyz", "x", "response-headers", String(repeating: "a", count: 5000)])
    func far(word: String) {
        #expect(Suggestion.nearest(to: word, among: SuggestionTests.words) == nil)
    }

    @Test("the remedy lists what is allowed in alphabetical order")
    func remedy() {
        #expect(Suggestion.remedy(for: "zzz", among: ["b", "a"]) == "allowed: a, b")
        #expect(Suggestion.remedy(for: "ab", among: ["b", "a"]) == "did you mean 'a'? allowed: a, b")
    }
}
