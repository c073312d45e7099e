import HTTPBasics
import NIOCore
import Testing

@testable import ServerScript

@Suite struct ContentBytesTests {
    private func array(_ content: Content, _ offset: Int, _ count: Int) -> [UInt8] {
        Array(content.bytes(at: offset, count: count).readableBytesView)
    }

    @Test("Each word of counter content spells its own offset")
    func counterWords() {
        let content = Content.counter(size: 1 << 30)
        #expect(String(decoding: array(content, 0, 24), as: UTF8.self) == "000000000000000800000010")
        #expect(String(decoding: array(content, 0x3fff_fff8, 64), as: UTF8.self) == "3ffffff8")
        #expect(String(decoding: array(content, 0x0abc_def1, 7), as: UTF8.self) == "abcdef0")
    }

    @Test(
        "Any slice equals the same slice of the whole",
        arguments: [
            Content.counter(size: 1000), .random(seed: 7, size: 1000), .fill(0x61, size: 1000),
            .bytes((0..<1000).map { UInt8(truncatingIfNeeded: $0) }), .compressed(.random(seed: 1, size: 900), .gzip),
        ])
    func slices(content: Content) {
        let whole = array(content, 0, .max)
        #expect(whole.count == content.count)
        for offset in stride(from: 0, to: 1010, by: 7) {
            for count in [0, 1, 8, 13, 2000] {
                #expect(array(content, offset, count) == Array(whole.dropFirst(offset).prefix(count)))
            }
        }
    }

    @Test("A counter spells every word, wherever a piece of it begins", arguments: [0, 1, 7, 8, 4090, 4096, 65_533])
    func countsOn(offset: Int) {
        let whole = (0..<10_000).map { number in
            let digits = String(number * 8, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        let wanted = Array(whole.joined().utf8)
        #expect(array(.counter(size: 80_000), offset, 9001) == Array(wanted[offset..<min(80_000, offset + 9001)]))
    }

    @Test("Offsets and sizes below zero give nothing")
    func negative() {
        #expect(array(.counter(size: 10), -1, 5).isEmpty)
        #expect(array(.counter(size: 10), 2, -5).isEmpty)
        #expect(Content.fill(1, size: -4).count == 0)
    }

    @Test("Random content depends on its seed, and does not repeat itself")
    func random() {
        let content = array(.random(seed: 7, size: 4096), 0, 4096)
        #expect(content != array(.random(seed: 8, size: 4096), 0, 4096))
        #expect(Array(content[..<8]) != Array(content[8..<16]))
        #expect(Set(content).count == 256)
    }

    @Test(
        "Compressed content has the marks of its coding",
        arguments: [
            (Content.Coding.gzip, [0x1f, 0x8b]), (.deflate, [0x78, 0x9c]),
        ] as [(Content.Coding, [UInt8])])
    func codings(coding: Content.Coding, marks: [UInt8]) {
        let content = Content.compressed(.counter(size: 100_000), coding)
        #expect(array(content, 0, 2) == marks)
        #expect(content.count < 100_000)
    }

    @Test("A raw stream is a deflate stream without header and checksum")
    func rawDeflate() throws {
        let wrapped = array(.compressed(.counter(size: 5000), .deflate), 0, .max)
        let raw = array(.compressed(.counter(size: 5000), .rawDeflate), 0, .max)
        #expect(raw == Array(wrapped.dropFirst(2).dropLast(4)))
    }

    @Test("Compression over its limit is refused")
    func limit() {
        #expect(Content.compressed(.random(seed: 1, size: 5000), .gzip).plain(limit: 4000) == nil)
        #expect(Content.compressed(.random(seed: 1, size: 5000), .gzip).plain(limit: 6000) != nil)
    }

    @Test("The checksum is FNV-1a, whatever the pieces", arguments: [1, 3, 64])
    func checksum(piece: Int) {
        #expect(Content.text("foobar").checksum() == 0x8594_4171_f739_67e8)
        let content = Content.counter(size: 200_000)
        var checksum = Checksum()
        for offset in stride(from: 0, to: 1000, by: piece) {
            checksum.update(content.bytes(at: offset, count: min(piece, 1000 - offset)))
        }
        #expect(checksum.value == content.checksum(ofFirst: 1000))
    }

    @Test("A recorded body is compared by count and checksum")
    func recorded() {
        var recorder = BodyRecorder()
        recorder.take(Content.counter(size: 300_000).bytes(at: 0, count: 100_000))
        recorder.take(Content.counter(size: 300_000).bytes(at: 100_000, count: 50_000))
        let record = recorder.record
        #expect(record.count == 150_000)
        #expect(record.prefix.count == BodyRecorder.keptBytes)
        #expect(Content.counter(size: 150_000).equals(record))
        #expect(!Content.counter(size: 300_000).equals(record))
        #expect(Content.counter(size: 300_000).startsWith(record))
        #expect(!Content.random(seed: 1, size: 300_000).startsWith(record))
    }
}
