import CChecksum

/// What tells that bytes on disk are not the ones that were written there.
///
/// Four CRC-32C side by side, and one over these four: as fast as memory, and every flipped bit is seen. In between
/// they are multiplied, or two bits, one in each of two lanes, could undo each other. Its start says which place of
/// which entry is meant, so that bytes of another one, which a file system may give back after the power has failed, do
/// not pass.
struct BlockChecksum {
    private static let hasInstruction = checksum_has_instruction() != 0

    private var lanes: (UInt32, UInt32, UInt32, UInt32)

    /// - Parameters:
    ///   - tag: Of the entry.
    ///   - place: In the entry.
    init(tag: UInt64, place: UInt64) {
        lanes = (
            ~UInt32(truncatingIfNeeded: tag), ~UInt32(truncatingIfNeeded: tag >> 32),
            ~UInt32(truncatingIfNeeded: place), ~UInt32(truncatingIfNeeded: place >> 32)
        )
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer, withInstruction: Bool = hasInstruction) {
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        guard let start, !bytes.isEmpty else { return }
        withUnsafeMutableBytes(of: &lanes) { space in
            let space = space.bindMemory(to: UInt32.self).baseAddress
            if withInstruction {
                checksum_lanes_instruction(space, start, bytes.count)
            } else {
                checksum_lanes_table(space, start, bytes.count)
            }
        }
    }

    mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    var value: UInt32 {
        // Numbers in the order of their bytes, so that another kind of machine reads the same.
        let numbers = (
            lanes.0.littleEndian, (lanes.1 &* 0x9e37_79b1).littleEndian, (lanes.2 &* 0x85eb_ca77).littleEndian,
            (lanes.3 &* 0xc2b2_ae3d).littleEndian
        )
        return withUnsafeBytes(of: numbers) { bytes in
            ~checksum_table(~0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        }
    }

    static func of(_ bytes: UnsafeRawBufferPointer, tag: UInt64, place: UInt64) -> UInt32 {
        var checksum = BlockChecksum(tag: tag, place: place)
        checksum.update(bytes)
        return checksum.value
    }
}
