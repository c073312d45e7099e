import Testing

@testable import CacheFiles

@Suite struct BlockChecksumTests {
    @Test(arguments: [0, 1, 8, 31, 32, 33, 64, 1000]) func `the instruction and the table agree`(count: Int) {
        let bytes = pattern(count)
        var first = BlockChecksum(tag: 7, place: 3), second = first
        bytes.withUnsafeBytes { first.update($0) }
        bytes.withUnsafeBytes { second.update($0, withInstruction: false) }
        #expect(first.value == second.value)
    }

    @Test func `every bit, the tag and the place count`() {
        let bytes = pattern(100)
        func value(_ bytes: [UInt8], _ tag: UInt64 = 1, _ place: UInt64 = 2) -> UInt32 {
            bytes.withUnsafeBytes { BlockChecksum.of($0, tag: tag, place: place) }
        }
        var values: Set = [
            value(bytes), value(bytes, 2), value(bytes, 1, 3), value(bytes, 1 << 40), value(bytes, 1, 1 << 40),
        ]
        #expect(values.count == 5)
        values = [value(bytes)]
        for bit in 0..<800 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            values.insert(value(changed))
        }
        #expect(values.count == 801)
    }
}
