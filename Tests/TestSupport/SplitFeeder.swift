import NIOCore

/// One way in which the bytes of a sample can arrive.
package struct Feeding: Sendable, CustomStringConvertible {
    /// Shown when a check fails.
    package let description: String
    package let pieces: [ByteBuffer]
    /// How many bytes after the sample the pieces carry.
    package let trailingBytes: Int
}

/// Feeds one sample in every way that a parser has to be indifferent to: whole, byte by byte, at every single split, at
/// seeded random splits, and with trailing bytes.
package enum SplitFeeder {
    package static func feed(
        _ sample: ByteBuffer, trailing: ByteBuffer = ByteBuffer(string: "TRAILING\r\n"), seed: UInt64 = 1,
        randomSplits: Int = 16, _ body: (Feeding) throws -> Void
    ) rethrows {
        let count = sample.readableBytes
        try body(Feeding(description: "whole", pieces: [sample], trailingBytes: 0))
        let single = pieces(of: sample, cutAt: Array(0..<count).dropFirst())
        try body(Feeding(description: "byte by byte", pieces: single, trailingBytes: 0))
        for cut in 0..<count where cut > 0 {
            let halves = pieces(of: sample, cutAt: [cut])
            try body(Feeding(description: "split at \(cut)", pieces: halves, trailingBytes: 0))
        }
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<randomSplits where count > 1 {
            let cuts = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                Int.random(in: 0...count, using: &generator)
            }.sorted()
            let description = "seed \(seed): split at \(cuts)"
            try body(Feeding(description: description, pieces: pieces(of: sample, cutAt: cuts[...]), trailingBytes: 0))
        }
        guard trailing.readableBytes > 0 else { return }
        var longer = ByteBuffer(buffer: sample)
        longer.writeImmutableBuffer(trailing)
        let extra = trailing.readableBytes
        try body(Feeding(description: "whole, with trailing bytes", pieces: [longer], trailingBytes: extra))
        try body(Feeding(description: "then trailing bytes", pieces: [sample, trailing], trailingBytes: extra))
        let all = pieces(of: longer, cutAt: Array(0..<longer.readableBytes).dropFirst())
        try body(Feeding(description: "byte by byte, with trailing bytes", pieces: all, trailingBytes: extra))
    }

    /// `cuts` ascend; equal ones give empty pieces, which must do no harm either.
    private static func pieces(of sample: ByteBuffer, cutAt cuts: ArraySlice<Int>) -> [ByteBuffer] {
        var rest = sample
        var start = 0
        var pieces: [ByteBuffer] = []
        for cut in cuts {
            // A copy: pieces must not share storage that a parser could grow into.
            pieces.append(ByteBuffer(bytes: rest.readableBytesView.prefix(cut - start)))
            rest.moveReaderIndex(forwardBy: cut - start)
            start = cut
        }
        pieces.append(ByteBuffer(bytes: rest.readableBytesView))
        return pieces
    }

    /// Joins neighbours that `join` can make one, because the split of a body into events is open.
    package static func merged<Element>(_ list: [Element], _ join: (Element, Element) -> Element?) -> [Element] {
        var merged: [Element] = []
        for element in list {
            if let last = merged.last, let joined = join(last, element) {
                merged[merged.count - 1] = joined
            } else {
                merged.append(element)
            }
        }
        return merged
    }
}

/// SplitMix64: small, and the same on every machine.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
