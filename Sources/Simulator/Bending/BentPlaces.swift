import NIOCore
import ServerScript

/// Changes at offsets of one answer, whatever lies there: bits that are flipped, pieces that change places.
struct BentPlaces {
    private struct Swap {
        var offset: Int
        var count: Int
        var end: Int { offset + 2 * count }
    }

    private var flips: [(offset: Int, bit: Int)] = []
    private var swap: Swap?
    /// Bytes of the answer that were taken.
    private var offset = 0
    /// From the first of the bytes that are to change places.
    private var held: [UInt8] = []

    init(_ changes: [Bend.Change] = []) {
        for case .flip(let offset, let bit) in changes { flips.append((offset, bit)) }
        // One is enough, and can be shrunk; a second one would have to know where the first left its bytes.
        for case .swap(let offset, let count) in changes where swap == nil { swap = Swap(offset: offset, count: count) }
    }

    private var isIdle: Bool { flips.isEmpty && swap == nil }

    mutating func take(_ bytes: ByteBuffer) -> [ByteBuffer] {
        let range = offset..<offset + bytes.readableBytes
        offset = range.upperBound
        if isIdle { return [bytes] }
        var bytes = bytes
        for flip in flips where range.contains(flip.offset) {
            let index = bytes.readerIndex + flip.offset - range.lowerBound
            if let byte = bytes.getInteger(at: index, as: UInt8.self) {
                bytes.setInteger(byte ^ (1 << UInt8(flip.bit)), at: index)
            }
        }
        guard let swap, range.upperBound > swap.offset else { return [bytes] }
        var output: [ByteBuffer] = []
        let before = max(0, min(swap.offset - range.lowerBound, bytes.readableBytes))
        if let slice = bytes.readSlice(length: before), before > 0 { output.append(slice) }
        let missing = 2 * swap.count - held.count
        held += bytes.readBytes(length: min(missing, bytes.readableBytes)) ?? []
        if held.count == 2 * swap.count {
            output.append(ByteBuffer(bytes: held[swap.count...] + held[..<swap.count]))
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
