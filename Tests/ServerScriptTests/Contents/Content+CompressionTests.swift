import Testing

@testable import ServerScript

@Suite struct CompressionTests {
    private func bytes(_ coding: Content.Coding, _ damage: Content.Damage?) throws -> [UInt8] {
        let plain = try #require(Content.compressed(.counter(size: 5000), coding, damage).plain())
        return Array(plain.bytes(at: 0, count: plain.count).readableBytesView)
    }

    @Test("Truncated is the first half", arguments: [Content.Coding.gzip, .deflate, .rawDeflate])
    func truncated(coding: Content.Coding) throws {
        let whole = try bytes(coding, nil)
        #expect(try bytes(coding, .truncated) == Array(whole.prefix(whole.count / 2)))
    }

    @Test(
        "A wrong checksum or length is one bit in the format's last bytes",
        arguments: [(.gzip, .checksum, 8), (.gzip, .length, 4), (.deflate, .checksum, 4)]
            as [(Content.Coding, Content.Damage, Int)])
    func wrongTrailer(coding: Content.Coding, damage: Content.Damage, fromEnd: Int) throws {
        let whole = try bytes(coding, nil), broken = try bytes(coding, damage)
        #expect(whole.indices.filter { whole[$0] != broken[$0] } == [whole.count - fromEnd])
    }
}
