import Inflate
import NIOCore
import TestSupport
import Testing

/// What came out of a stream, and how it ended.
private struct Outcome: Equatable {
    var bytes: [UInt8] = []
    var error: InflateError?
    var largestPiece = 0
}

@Suite struct InflaterTests {
    private static let text = Array(String(repeating: "Understudy plays every part. ", count: 40).utf8)

    /// Feeds piece by piece and pulls everything after each.
    private func inflate(_ pieces: [ByteBuffer], _ coding: Inflater.Coding, maxBytes: Int = 100) -> Outcome {
        let inflater = Inflater(coding)
        var outcome = Outcome()
        do {
            for piece in pieces {
                inflater.feed(piece)
                while let output = try inflater.next(maxBytes: maxBytes) {
                    outcome.bytes += Array(output.readableBytesView)
                    outcome.largestPiece = max(outcome.largestPiece, output.readableBytes)
                }
            }
            outcome.error = inflater.finish()
        } catch {
            outcome.error = error
        }
        return outcome
    }

    @Test(arguments: Deflater.Format.allCases)
    func `every format is undone however it is split, and trailing bytes are ignored`(format: Deflater.Format) {
        let coding: Inflater.Coding = format == .gzip ? .gzip : .deflate
        SplitFeeder.feed(Deflater.compress(Self.text, as: format)) { feeding in
            let outcome = inflate(feeding.pieces, coding)
            #expect(outcome.bytes == Self.text, "\(feeding)")
            #expect(outcome.error == nil, "\(feeding)")
        }
    }

    @Test func `a gzip stream may have several members`() {
        var sample = Deflater.compress(Self.text, as: .gzip)
        sample.writeImmutableBuffer(Deflater.compress([], as: .gzip))
        sample.writeImmutableBuffer(Deflater.compress(Array("more".utf8), as: .gzip))
        SplitFeeder.feed(sample) { feeding in
            let outcome = inflate(feeding.pieces, .gzip)
            #expect(outcome.bytes == Self.text + Array("more".utf8), "\(feeding)")
            #expect(outcome.error == nil, "\(feeding)")
        }
    }

    @Test(arguments: [[0x1f], [0x1f, 0x00], [0x00, 0x8b], [0x00]] as [[UInt8]])
    func `what only resembles a further member is ignored`(garbage: [UInt8]) {
        let outcome = inflate([Deflater.compress(Self.text, as: .gzip), ByteBuffer(bytes: garbage)], .gzip)
        #expect(outcome == Outcome(bytes: Self.text, error: nil, largestPiece: 100))
    }

    @Test(arguments: Deflater.Format.allCases)
    func `a stream that is cut anywhere is truncated`(format: Deflater.Format) {
        let sample = Deflater.compress(Self.text, as: format)
        for length in 1..<sample.readableBytes {
            let start = sample.getSlice(at: 0, length: length) ?? ByteBuffer()
            let outcome = inflate([start], format == .gzip ? .gzip : .deflate)
            #expect(outcome.error == .truncated, "cut at \(length)")
            #expect(Self.text.starts(with: outcome.bytes), "cut at \(length)")
        }
    }

    @Test(arguments: [Inflater.Coding.gzip, .deflate])
    func `no input at all is a complete stream`(coding: Inflater.Coding) {
        #expect(inflate([], coding) == Outcome())
        #expect(inflate([ByteBuffer()], coding) == Outcome())
    }

    @Test func `bytes that are not compressed at all are corrupt`() {
        #expect(inflate([ByteBuffer(string: "just some text")], .gzip).error == .corrupt)
        // As raw deflate this begins with the impossible block type 3.
        #expect(inflate([ByteBuffer(bytes: [0x07, 0xff, 0xff])], .deflate).error == .corrupt)
    }

    @Test func `a wrong checksum is corrupt, after the data`() {
        var sample = Array(Deflater.compress(Self.text, as: .gzip).readableBytesView)
        sample[sample.count - 8] ^= 1
        let outcome = inflate([ByteBuffer(bytes: sample)], .gzip)
        #expect(outcome.bytes == Self.text)
        #expect(outcome.error == .corrupt)
    }

    // BEHAVIOUR 2.F28. A stored block may have any bits between its type and its length.
    @Test(
        arguments: [
            [0x08, 3],  // zlib's method, but no multiple of 31
            [0x88, 28],  // zlib's method and a multiple of 31, but a window that is too large
            [0x00, 31],  // a multiple of 31, but no method
        ] as [[UInt8]])
    func `what only resembles a zlib header begins a bare stream`(start: [UInt8]) {
        let text = (0..<start[1]).map { 65 + $0 }
        let last: [UInt8] = [0x01, 0, 0, 0xff, 0xff]
        let sample = ByteBuffer(bytes: start + [0, ~start[1], 0xff] + text + last)
        #expect(inflate([sample], .deflate) == Outcome(bytes: text, error: nil, largestPiece: text.count))
    }

    @Test func `a preset dictionary cannot be had, so it is corrupt`() {
        #expect(inflate([ByteBuffer(bytes: [0x78, 0xbb, 0, 0, 0, 1, 0, 0])], .deflate).error == .corrupt)
    }

    @Test func `an error stays`() {
        let inflater = Inflater(.gzip)
        inflater.feed(ByteBuffer(string: "not gzip"))
        for _ in 0..<3 {
            #expect(throws: InflateError.corrupt) { try inflater.next(maxBytes: 10) }
            inflater.feed(Deflater.compress(Self.text, as: .gzip))
        }
        #expect(inflater.finish() == .corrupt)
    }

    @Test(arguments: [1, 7, 4096, 1 << 40])
    func `a bomb yields no more per call than was asked for, nor more than 64 KiB`(maxBytes: Int) throws {
        let size = 4 * 1024 * 1024
        let bomb = Deflater.compress([UInt8](repeating: 0, count: size), as: .gzip)
        #expect(bomb.readableBytes < size / 500)
        let inflater = Inflater(.gzip)
        inflater.feed(bomb)
        var total = 0
        for _ in 0..<200 {
            guard let output = try inflater.next(maxBytes: maxBytes) else { break }
            #expect(output.readableBytes <= min(maxBytes, 64 * 1024) && output.capacity <= 128 * 1024)
            total += output.readableBytes
        }
        #expect(maxBytes < 64 * 1024 ? total == 200 * maxBytes : total == size)
    }

    @Test func `however much waits, no more than 64 KiB come at a time`() throws {
        var generator = SeededGenerator(seed: 3)
        let noise = (0..<400_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let inflater = Inflater(.gzip)
        inflater.feed(Deflater.compress(noise, as: .gzip))
        var result: [UInt8] = []
        while let output = try inflater.next(maxBytes: 1 << 40) {
            #expect(output.readableBytes <= 64 * 1024)
            result += output.readableBytesView
        }
        #expect(result == noise)
    }

    @Test func `asking for nothing gives nothing and loses nothing`() throws {
        let inflater = Inflater(.gzip)
        inflater.feed(Deflater.compress([1, 2, 3], as: .gzip))
        #expect(try inflater.next(maxBytes: 0) == nil)
        #expect(try inflater.next(maxBytes: -1) == nil)
        #expect(try inflater.next(maxBytes: 10) == ByteBuffer(bytes: [1, 2, 3]))
    }

    @Test func `random bytes never trap and always come to an end`() {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<500 {
            var sample = Array(Deflater.compress(Self.text, as: Deflater.Format.allCases[round % 3]).readableBytesView)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                sample[Int.random(in: 0..<sample.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            for coding in [Inflater.Coding.gzip, .deflate] {
                let outcome = inflate([ByteBuffer(bytes: sample)], coding, maxBytes: 1000)
                #expect(outcome.bytes.count < 1_000_000)
            }
        }
    }
}
