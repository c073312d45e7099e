import NIOCore

extension Content {
    /// How many bytes it has. For compressed content this does the compression; see `plain`.
    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .counter(let size), .random(_, let size), .fill(_, let size): max(0, size)
        case .compressed: plain()?.count ?? 0
        }
    }

    /// The bytes from `offset` on, at most `count` of them, computed on demand: nothing else is generated.
    package func bytes(at offset: Int, count wanted: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        append(from: offset, count: wanted, to: &buffer)
        return buffer
    }

    package func append(from offset: Int, count wanted: Int, to buffer: inout ByteBuffer) {
        if case .compressed = self {
            plain()?.append(from: offset, count: wanted, to: &buffer)
            return
        }
        guard offset >= 0, offset < count, wanted > 0 else { return }
        let length = min(wanted, count - offset)
        if case .bytes(let bytes) = self {
            buffer.writeBytes(bytes[offset..<(offset + length)])
            return
        }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { raw in
            generate(into: UnsafeMutableRawBufferPointer(rebasing: raw[..<length]), from: offset)
            return length
        }
    }

    private func generate(into raw: UnsafeMutableRawBufferPointer, from offset: Int) {
        switch self {
        case .counter:
            for index in raw.indices { raw[index] = Content.counterByte(at: offset + index) }
        case .random(let seed, _):
            var word = Content.randomWord(seed: seed, index: offset >> 3)
            for index in raw.indices {
                let position = offset + index
                if position & 7 == 0 { word = Content.randomWord(seed: seed, index: position >> 3) }
                raw[index] = UInt8(truncatingIfNeeded: word >> UInt64((position & 7) * 8))
            }
        case .fill(let byte, _):
            for index in raw.indices { raw[index] = byte }
        case .bytes, .compressed:
            return
        }
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// The word at 8-byte boundary `o` spells `o` with eight lower-case digits; beyond 4 GiB its low 32 bits.
    private static func counterByte(at position: Int) -> UInt8 {
        let word = UInt32(truncatingIfNeeded: position & ~7)
        let shift = UInt32(28 - 4 * (position & 7))
        return hexadecimal[Int((word >> shift) & 15)]
    }

    /// SplitMix64 with the word's index in place of its running state, so that any offset costs the same.
    private static func randomWord(seed: UInt64, index: Int) -> UInt64 {
        var word = seed &+ (UInt64(truncatingIfNeeded: index) &+ 1) &* 0x9e37_79b9_7f4a_7c15
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
