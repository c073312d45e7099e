import NIOCore
import ServerScript

/// Changes at offsets of one answer, in any of its bytes: bits that are flipped, pieces that change places.
struct BentPlaces {
    private struct Flip {
        var bend: Bend
        var offset: Int
        var bit: Int
    }

    private struct Swap {
        var bend: Bend
        var offset: Int
        var count: Int
        var end: Int { offset + 2 * count }
    }

    private var flips: [Flip] = []
    private var swap: Swap?
    /// Bytes of the answer that were taken.
    private var offset = 0
    /// From the first of the bytes that are to change places.
    private var held: [UInt8] = []

    init(_ bends: [Bend] = []) {
        for bend in bends {
            switch bend.change {
            case .flip(let offset, let bit): flips.append(Flip(bend: bend, offset: offset, bit: bit))
            // One is enough, and can be shrunk; a second one would have to know where the first left its bytes.
            case .swap(let offset, let count) where swap == nil:
                swap = Swap(bend: bend, offset: offset, count: count)
            default: continue
            }
        }
    }

    private var isIdle: Bool { flips.isEmpty && swap == nil }

    /// `reached` gets those bends that change a byte.
    mutating func take(_ bytes: ByteBuffer, _ reached: inout Set<Bend>) -> [ByteBuffer] {
        let range = offset..<offset + bytes.readableBytes
        offset = range.upperBound
        if isIdle { return [bytes] }
        var bytes = bytes
        for flip in flips where range.contains(flip.offset) {
            let index = bytes.readerIndex + flip.offset - range.lowerBound
            if let byte = bytes.getInteger(at: index, as: UInt8.self) {
                bytes.setInteger(byte ^ (1 << UInt8(flip.bit)), at: index)
                reached.insert(flip.bend)
            }
        }
        guard let swap, range.upperBound > swap.offset else { return [bytes] }
        var output: [ByteBuffer] = []
        let before = max(0, min(swap.offset - range.lowerBound, bytes.readableBytes))
        if let slice = bytes.readSlice(length: before), before > 0 { output.append(slice) }
        let missing = 2 * swap.count - held.count
        held += bytes.readBytes(length: min(missing, bytes.readableBytes)) ?? []
        if held.count == 2 * swap.count {
            let swapped = held[swap.count...] + held[..<swap.count]
            output.append(ByteBuffer(bytes: swapped))
            if Array(swapped) != held { reached.insert(swap.bend) }
            held = []
            self.swap = nil
        }
        if bytes.readableBytes > 0 { output.append(bytes) }
        return output
    }

    /// The answer ends before the second piece was whole: all stays as it was.
    mutating func finish() -> [ByteBuffer] {
        defer { held = [] }
        return held.isEmpty ? [] : [ByteBuffer(bytes: held)]
    }
}
