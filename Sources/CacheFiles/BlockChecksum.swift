import CChecksum
import CZlib

/// What tells that bytes on disk are not the ones that were written there: a CRC-32, which sees every single bit that
/// was flipped.
///
/// The entry and the place in it count as well: bytes of another one, which a file system may give back after the power
/// has failed, do not pass.
enum BlockChecksum {
    /// How many times 16 bytes the processor multiplies at once; 0 if it cannot.
    static let lanes = checksum_lanes()

    /// - Parameters:
    ///   - tag: Of the entry.
    ///   - place: In the entry.
    static func of(_ bytes: UnsafeRawBufferPointer, tag: UInt64, place: UInt64, lanes: Int32 = lanes) -> UInt32 {
        let start = withUnsafeBytes(of: (tag.littleEndian, place.littleEndian)) { append($0[...], to: 0) }
        let folded = Int(CHECKSUM_FOLD), whole = bytes.count / folded * folded
        guard lanes > 0, whole > folded, let first = bytes.bindMemory(to: UInt8.self).baseAddress else {
            return append(bytes[...], to: start)
        }
        let middle = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: folded) { space in
            _ = space.initialize(fromContentsOf: bytes[..<folded])
            // What a CRC begins with counts like a change of the first bytes; zlib gives it inverted.
            withUnsafeBytes(of: (~start).littleEndian) { for place in 0..<4 { space[place] ^= $0[place] } }
            guard let place = space.baseAddress else { return start }
            checksum_fold(lanes, place, first + folded, whole - folded)
            return append(UnsafeRawBufferPointer(space)[..<Int(CHECKSUM_FOLDED)], to: ~0)
        }
        return append(bytes[whole...], to: middle)
    }

    private static func append(_ bytes: Slice<UnsafeRawBufferPointer>, to checksum: UInt32) -> UInt32 {
        guard !bytes.isEmpty else { return checksum }
        let bytes = UnsafeRawBufferPointer(rebasing: bytes).bindMemory(to: UInt8.self)
        return UInt32(truncatingIfNeeded: crc32_z(uLong(checksum), bytes.baseAddress, bytes.count))
    }
}
