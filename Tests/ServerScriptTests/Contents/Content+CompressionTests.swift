import Testing

@testable import ServerScript

@Suite struct CompressionTests {
    private func bytes(_ coding: Content.Coding, _ damage: Content.Damage?) throws -> [UInt8] {
        let plain = try #require(Content.compressed(.counter(size: 5000), coding, damage).plain())
        return Array(plain.bytes(at: 0, count: plain.count).readableBytesView)
    }

    private static let all = [Content.Coding.gzip, .deflate, .rawDeflate, .brotli, .zstd]
        .filter { $0.system?.missingLibrary == nil }

    @Test("Truncated is the first half", arguments: all)
    func truncated(coding: Content.Coding) throws {
        let whole = try bytes(coding, nil)
        #expect(try bytes(coding, .truncated) == Array(whole.prefix(whole.count / 2)))
    }

    @Test(
        "A wrong checksum or length is one bit in the format's last bytes",
        arguments: [(.gzip, .checksum, 8), (.gzip, .length, 4), (.deflate, .checksum, 4)]
            + (SystemCoding.zstd.missingLibrary == nil ? [(.zstd, .checksum, 4)] : [])
            as [(Content.Coding, Content.Damage, Int)])
    func wrongTrailer(coding: Content.Coding, damage: Content.Damage, fromEnd: Int) throws {
        let whole = try bytes(coding, nil), broken = try bytes(coding, damage)
        #expect(whole.indices.filter { whole[$0] != broken[$0] } == [whole.count - fromEnd])
    }

    @Test(arguments: all) func `what is packed is small if the content repeats, and has a limit`(coding: Content.Coding)
    {
        let large = Content.compressed(.fill(0, size: 1 << 20), coding), empty = Content.compressed(.empty, coding)
        #expect((1..<5000).contains(large.count) && (1..<30).contains(empty.count))
        #expect(Content.compressed(.random(seed: 1, size: 5000), coding).plain(limit: 4000) == nil)
    }

    @Test func `what no library is there for is named`() {
        for coding in SystemCoding.allCases {
            let outer = Content.Coding.allCases.first { $0.system == coding } ?? .gzip
            let nested = Content.compressed(.compressed(.empty, outer), .gzip)
            #expect(nested.missingLibrary == coding.missingLibrary)
            #expect((nested.plain() == nil) == (coding.missingLibrary != nil))
        }
        #expect(Content.compressed(.empty, .gzip).missingLibrary == nil)
    }
}
