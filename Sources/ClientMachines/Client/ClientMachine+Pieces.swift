import NIOCore

/// The pieces in which a body is handed out (BEHAVIOUR 1.B2-pieces).
///
/// Each costs a call, or a write, and keeps alive the whole buffer in which it came. Small ones of one turn become one.
extension ClientMachine {
    private static let mergedBytes = 16 * 1024
    /// A smaller piece is copied out of a buffer that is more than four times as large as this.
    private static let smallBytes = 4 * 1024

    func tellData(_ bytes: ByteBuffer, to id: TaskID, _ slot: Slot, _ turn: inout Turn) {
        guard case .tell(id, .data(var whole))? = turn.outputs.last, Self.belongTogether(whole, bytes) else {
            return turn.outputs.append(.tell(id, .data(Self.compacted(bytes))))
        }
        // Taken out, so that it has one owner and grows in place.
        turn.outputs.removeLast()
        slot.machine.merged(whole.readableBytes, bytes.readableBytes)
        whole.writeImmutableBuffer(bytes)
        turn.outputs.append(.tell(id, .data(whole)))
    }

    func writeToFile(_ bytes: ByteBuffer, of id: TaskID, _ slot: Slot, _ turn: inout Turn) {
        guard case .file(id, .write(var whole))? = turn.outputs.last, Self.belongTogether(whole, bytes) else {
            return turn.outputs.append(.file(id, .write(Self.compacted(bytes))))
        }
        turn.outputs.removeLast()
        slot.machine.merged(whole.readableBytes, bytes.readableBytes)
        whole.writeImmutableBuffer(bytes)
        turn.outputs.append(.file(id, .write(whole)))
    }

    private static func belongTogether(_ former: ByteBuffer, _ later: ByteBuffer) -> Bool {
        former.readableBytes + later.readableBytes <= mergedBytes
    }

    private static func compacted(_ bytes: ByteBuffer) -> ByteBuffer {
        guard bytes.readableBytes < smallBytes, bytes.storageCapacity > 4 * smallBytes else { return bytes }
        return ByteBuffer(bytes: bytes.readableBytesView)
    }
}
