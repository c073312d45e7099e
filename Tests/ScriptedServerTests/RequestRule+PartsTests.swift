import ServerScript
import Testing

@testable import ScriptedServer

@Suite struct RequestRulePartsTests {
    private func match(_ rules: RequestRule...) -> RequestMatch {
        rules.reduce(into: RequestMatch()) { $1.apply(&$0) }
    }

    @Test func `a form is known by its parts`() {
        let digest = String(repeating: "aB", count: 32)
        let rule = RequestRule.multipart(
            ExpectedPart("a", body: "1"),
            ExpectedPart("f", filename: "f.txt", type: "text/plain", size: 3, sha256: digest))
        let parts = [
            MultipartRule.Part(name: "a", content: .text("1")),
            MultipartRule.Part(
                name: "f", filename: "f.txt", type: "text/plain", size: 3, sha256: digest.lowercased()),
        ]
        #expect(match(rule).multipart == MultipartRule(parts: parts))
        #expect(rule.complaint == nil)
        #expect(RequestRule.multipart(ExpectedPart("a", sha256: "x")).complaint?.hasPrefix("'x' is no SHA-256") == true)
    }

    @Test func `a body may be a slice, and a target whole`() {
        #expect(match(.slice(of: .counter(9))).sliceOf == .counter(size: 9))
        #expect(match(.whole).isWhole)
    }
}
