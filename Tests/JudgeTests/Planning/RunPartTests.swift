import Testing

@testable import Judge

@Suite("Dividing a run over machines")
struct ShardTests {
    @Test(
        "A part is i/n with 1 <= i <= n",
        arguments: [
            ("1/1", true), ("2/4", true), ("0/4", false), ("5/4", false), ("1", false), ("a/b", false),
            ("1/2/3", false),
        ])
    func part(text: String, isValid: Bool) { #expect((RunPart(text) != nil) == isValid) }

    @Test("Shards are disjoint and together everything")
    func partition() throws {
        let parts = try (1...3).map { try #require(RunPart("\($0)/3")) }
        for ordinal in 0..<20 { #expect(parts.filter { $0.contains(ordinal: ordinal) }.count == 1) }
    }
}
