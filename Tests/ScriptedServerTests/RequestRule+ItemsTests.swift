import ServerScript
import Testing

@testable import ScriptedServer

@Suite struct RequestRuleItemsTests {
    private func match(_ rules: RequestRule...) -> RequestMatch {
        rules.reduce(into: RequestMatch()) { $1.apply(&$0) }
    }

    @Test func `items are there, or not, or have a text in them`() throws {
        let pattern = try TextPattern("^x")
        let rules: [RequestMatch.ItemRule] = [
            .init("a", .values(["1"])), .init("b", .some(.present)), .init("c", .none),
            .init("d", .some(.contains("x"))), .init("e", .some(.matches(pattern))),
        ]
        #expect(
            match(
                .query("a", "1"), .query("b", .present), .query("c", .none), .query("d", contains: "x"),
                .query("e", matches: "^x")
            ).query == rules)
        #expect(
            match(
                .form("a", "1"), .form("b", .present), .form("c", .none), .form("d", contains: "x"),
                .form("e", matches: "^x")
            ).body == .form(rules))
    }

    @Test func `a body is known by its digest, or as a beginning`() {
        let digest = String(repeating: "aB", count: 32)
        #expect(match(.body(sha256: digest)).body == .sha256(digest.lowercased()))
        #expect(match(.body(prefixOf: "abc")).body == .prefix(of: .text("abc")))
    }
}
