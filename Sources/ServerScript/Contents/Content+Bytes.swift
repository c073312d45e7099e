import NIOCore

extension Content {
    /// How many bytes it has. For compressed content this does the compression; see `plain`.
    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .text(let text): text.utf8.count
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
        if case .text(let text) = self {
            buffer.writeBytes(text.utf8.dropFirst(offset).prefix(length))
            return
        }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { raw in
            generate(into: UnsafeMutableRawBufferPointer(rebasing: raw[..<length]), from: offset)
            return length
        }
    }

    private func generate(into raw: UnsafeMutableRawBufferPointer, from offset: Int) {
        switch self {
        case .counter: Content.count(into: raw, from: offset)
        case .random(let seed, _): Content.fill(raw, from: offset) { Content.randomWord(seed: seed, index: $0 >> 3) }
        case .fill(let byte, _): raw.initializeMemory(as: UInt8.self, repeating: byte)
        case .bytes, .text, .compressed: return
        }
    }

    /// `word` gives the eight bytes at each 8-byte boundary, the first of them lowest.
    @inline(__always)
    private static func fill(_ raw: UnsafeMutableRawBufferPointer, from offset: Int, with word: (Int) -> UInt64) {
        var index = 0
        while index < raw.count {
            if (offset + index) & 7 == 0, raw.count - index >= 8 {
                let whole = (raw.count - index) & ~7
                for place in stride(from: index, to: index + whole, by: 8) {
                    raw.storeBytes(of: word(offset + place).littleEndian, toByteOffset: place, as: UInt64.self)
                }
                index += whole
                continue
            }
            let skipped = (offset + index) & 7
            let bytes = (word(offset + index - skipped) >> UInt64(skipped * 8)).littleEndian
            let count = min(8 - skipped, raw.count - index)
            withUnsafeBytes(of: bytes) { source in
                UnsafeMutableRawBufferPointer(rebasing: raw[index..<(index + count)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
            }
            index += count
        }
    }

    /// Only the last three digits differ within 4 KiB: they are looked up, and the others spelled once.
    private static func count(into raw: UnsafeMutableRawBufferPointer, from offset: Int) {
        var index = 0
        while index < raw.count {
            let position = offset + index
            let first = (position & 0xfff) >> 3, words = min(512 - first, (raw.count - index) >> 3)
            guard position & 7 == 0, words > 0 else {
                let count = min(8 - position & 7, raw.count - index)
                fill(.init(rebasing: raw[index..<(index + count)]), from: position, with: counterWord)
                index += count
                continue
            }
            let others = (counterWord(at: position) & 0x0000_00ff_ffff_ffff).littleEndian
            let room = UnsafeMutableRawBufferPointer(rebasing: raw[index..<(index + words << 3)])
            lastDigits.withUnsafeBytes { digits in
                write(UnsafeRawBufferPointer(rebasing: digits[(first << 3)...]), with: others, into: room)
            }
            index += words << 3
        }
    }

    /// The words of `digits` with what they have in common; eight at a time, as the processor can.
    private static func write(
        _ digits: UnsafeRawBufferPointer, with others: UInt64, into room: UnsafeMutableRawBufferPointer
    ) {
        guard let digits = digits.baseAddress, let place = room.baseAddress else { return }
        let eight = MemoryLayout<SIMD8<UInt64>>.size, whole = room.count / eight * eight
        let common = SIMD8(repeating: others)
        for offset in stride(from: 0, to: whole, by: eight) {
            let words = digits.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
            place.storeBytes(of: words | common, toByteOffset: offset, as: SIMD8<UInt64>.self)
        }
        for offset in stride(from: whole, to: room.count, by: 8) {
            let word = digits.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            place.storeBytes(of: word | others, toByteOffset: offset, as: UInt64.self)
        }
    }

    /// As they lie in memory.
    private static let lastDigits: [UInt64] = (0..<512).map {
        (counterWord(at: $0 << 3) & 0xffff_ff00_0000_0000).littleEndian
    }

    /// The word at 8-byte boundary `o` spells `o` with eight lower-case digits; beyond 4 GiB its low 32 bits.
    private static func counterWord(at position: Int) -> UInt64 {
        // One digit to a byte, the first in the lowest byte; then all eight are made letters at once.
        var digits = UInt64(UInt32(truncatingIfNeeded: position))
        digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff
        digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff
        digits = ((digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0f).byteSwapped
        let overNine = ((digits &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ overNine &* 0x27
    }

    /// SplitMix64 with the word's index in place of its running state, so that any offset costs the same.
    private static func randomWord(seed: UInt64, index: Int) -> UInt64 {
        var word = seed &+ (UInt64(truncatingIfNeeded: index) &+ 1) &* 0x9e37_79b9_7f4a_7c15
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
