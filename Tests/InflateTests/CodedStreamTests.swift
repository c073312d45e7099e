import Inflate
import NIOCore
import TestSupport
import Testing

/// brotli and zstd, where the system has them.
@Suite struct CodedStreamTests {
    private static let text = Array(String(repeating: "Understudy plays every part. ", count: 40).utf8)
    private static let brotli = bytes("1b8704004427477aa0d0bf85c1d71f94870c645b5a9a6afa349deb87866f24bf04889b0200")
    private static let zstd = bytes(
        "28b52ffd6088032d0100e8556e646572737475647920706c61797320657665727920706172742e200100a1017ee504")
    private static let more = bytes("28b52ffd20042100006d6f7265"), nothing = bytes("28b52ffd2000010000"),
        skipped = bytes("502a4d1803000000616263")
    private static let samples: [(Inflater.Coding, [UInt8])] = [(.brotli, brotli), (.zstd, zstd)]
        .filter { $0.0.isAvailable }

    private static func bytes(_ digits: String) -> [UInt8] {
        var bytes: [UInt8] = [], rest = digits[...]
        while !rest.isEmpty {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    private struct Outcome: Equatable {
        var bytes: [UInt8] = []
        var error: InflateError?
    }

    private func decode(_ pieces: [ByteBuffer], _ coding: Inflater.Coding, maxBytes: Int = 100) -> Outcome {
        let inflater = Inflater(coding)
        var outcome = Outcome()
        do {
            for piece in pieces {
                inflater.feed(piece)
                while let output = try inflater.next(maxBytes: maxBytes) {
                    #expect(1...maxBytes ~= output.readableBytes)
                    outcome.bytes += output.readableBytesView
                }
            }
            outcome.error = inflater.finish()
        } catch {
            outcome.error = error
        }
        return outcome
    }

    private func decode(_ bytes: [UInt8], _ coding: Inflater.Coding) -> Outcome {
        decode([ByteBuffer(bytes: bytes)], coding)
    }

    // BEHAVIOUR 2.F28-system 2.F28-behind
    @Test(arguments: samples) func `it is undone however it is split, and trailing bytes are ignored`(
        coding: Inflater.Coding, sample: [UInt8]
    ) {
        SplitFeeder.feed(ByteBuffer(bytes: sample)) { feeding in
            #expect(decode(feeding.pieces, coding) == Outcome(bytes: Self.text), "\(feeding)")
        }
        for garbage in [[0], [0x28], [0x28, 0xb4], [0x50], [0x50, 0x2b], [1, 2, 3]] as [[UInt8]] {
            #expect(decode(sample + garbage, coding) == Outcome(bytes: Self.text), "\(garbage)")
        }
        #expect(decode([], coding) == Outcome())
    }

    @Test(arguments: samples) func `one that is cut is truncated`(coding: Inflater.Coding, sample: [UInt8]) {
        for length in 1..<sample.count {
            let outcome = decode(Array(sample.prefix(length)), coding)
            #expect(outcome.error == .truncated && Self.text.starts(with: outcome.bytes), "\(length)")
        }
    }

    @Test(arguments: samples) func `changed bytes end in some way`(coding: Inflater.Coding, sample: [UInt8]) {
        for place in sample.indices {
            for bit in 0..<8 {
                var changed = sample
                changed[place] ^= 1 << UInt8(bit)
                _ = decode(changed, coding)
            }
        }
        #expect(decode(Self.text, coding).error != nil)
    }

    // BEHAVIOUR 2.F28-system
    @Test func `zstd may have several frames, some to be skipped`() {
        guard Inflater.Coding.zstd.isAvailable else { return }
        let sample = Self.skipped + Self.zstd + Self.nothing + Self.skipped + Self.more
        SplitFeeder.feed(ByteBuffer(bytes: sample)) { feeding in
            #expect(decode(feeding.pieces, .zstd) == Outcome(bytes: Self.text + Array("more".utf8)), "\(feeding)")
        }
        #expect(decode(Self.zstd + Self.more.dropLast(), .zstd).error == .truncated)
    }

    // BEHAVIOUR 2.F28-system
    @Test func `a window of more than 8 MiB is refused`() {
        guard Inflater.Coding.zstd.isAvailable else { return }
        #expect(decode(Self.bytes("28b52ffd00880b000000"), .zstd).error == .corrupt)
        #expect(decode(Self.bytes("28b52ffd00680b000000"), .zstd) == Outcome(bytes: [0]))
    }

    // BEHAVIOUR 2.F28-system
    @Test func `so is one of a frame that says how little it has, however it came`() {
        guard Inflater.Coding.zstd.isAvailable else { return }
        for (frame, outcome) in [
            ("28b52ffd80880500000029000068656c6c6f", Outcome(error: .corrupt)),
            ("28b52ffd80680500000029000068656c6c6f", Outcome(bytes: Array("hello".utf8))),
        ] {
            SplitFeeder.feed(ByteBuffer(bytes: Self.bytes(frame) + Self.bytes(frame))) { feeding in
                let twice = Outcome(bytes: outcome.bytes + outcome.bytes, error: outcome.error)
                #expect(decode(feeding.pieces, .zstd) == twice, "\(feeding)")
            }
        }
    }

    // BEHAVIOUR 2.F28-system: RFC 7932's windows, and not those of libbrotli's own extension.
    @Test func `a large window of br is refused`() {
        guard Inflater.Coding.brotli.isAvailable else { return }
        #expect(decode(Self.bytes("110b028068656c6c6f03"), .brotli).error == .corrupt)
        #expect(decode(Self.bytes("3f"), .brotli) == Outcome())
    }

    @Test func `a bomb comes out in the pieces that are asked for`() throws {
        guard Inflater.Coding.brotli.isAvailable else { return }
        let bomb = Self.bytes(
            "cfffff7f002400e2b14072effff9ffff0f8004401c1680eefd3fffffff01900088c302d0bdffcfffff7f001200715800baf7ff")
        let inflater = Inflater(.brotli)
        inflater.feed(ByteBuffer(bytes: bomb))
        var count = 0
        while let piece = try inflater.next(maxBytes: 1 << 20) {
            #expect(piece.storageCapacity <= 128 * 1024)
            count += piece.readableBytes
        }
        #expect(count == 64 << 20 && inflater.finish() == nil)
    }
}
