import Testing

@testable import Judge

@Suite("Dividing a run over machines")
struct ShardTests {
    @Test(
        "A shard is i/n with 1 <= i <= n",
        arguments: [
            ("1/1", true), ("2/4", true), ("0/4", false), ("5/4", false), ("1", false), ("a/b", false),
            ("1/2/3", false),
        ])
    func shard(text: String, isValid: Bool) { #expect((Shard(text) != nil) == isValid) }

    @Test("Shards are disjoint and together everything")
    func partition() throws {
        let shards = try (1...3).map { try #require(Shard("\($0)/3")) }
        for ordinal in 0..<20 { #expect(shards.filter { $0.contains(ordinal: ordinal) }.count == 1) }
    }
}
