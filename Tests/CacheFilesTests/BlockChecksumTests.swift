import Testing

@testable import CacheFiles

@Suite struct BlockChecksumTests {
    /// What this processor can do.
    private static let lanes = [1, 2, 4].filter { $0 <= BlockChecksum.lanes }

    // Fewer than 256 bytes are not folded.
    @Test(.enabled(if: BlockChecksum.lanes > 0), arguments: [255, 256, 257, 383, 384, 385, 65_536, 70_001], lanes)
    func `however much the processor takes at once, the number is the same`(count: Int, lanes: Int32) {
        let bytes = pattern(count)
        #expect(value(bytes, lanes: lanes) == value(bytes, lanes: 0))
        #expect(value(bytes, tag: .max, place: 7, lanes: lanes) == value(bytes, tag: .max, place: 7, lanes: 0))
    }

    @Test func `it is the CRC-32 of zlib over the tag, the place and the bytes`() {
        // Python: zlib.crc32(struct.pack("<QQ", 1, 2) + bytes(range(200))), and the same of i % 256 for i below 1000.
        #expect(value(Array(0..<200)) == 0x8e3b_77b8)
        #expect(value((0..<1000).map { UInt8($0 % 256) }) == 0x235a_deb8)
    }

    @Test(arguments: [100, 300]) func `every bit, the tag and the place count`(count: Int) {
        let bytes = pattern(count)
        var values: Set = [
            value(bytes), value(bytes, tag: 2), value(bytes, place: 3), value(bytes, tag: 1 << 40),
            value(bytes, place: 1 << 40),
        ]
        #expect(values.count == 5)
        values = [value(bytes)]
        for bit in 0..<8 * count {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            values.insert(value(changed))
        }
        #expect(values.count == 8 * count + 1)
    }

    private func value(
        _ bytes: [UInt8], tag: UInt64 = 1, place: UInt64 = 2, lanes: Int32 = BlockChecksum.lanes
    ) -> UInt32 {
        bytes.withUnsafeBytes { BlockChecksum.of($0, tag: tag, place: place, lanes: lanes) }
    }
}
