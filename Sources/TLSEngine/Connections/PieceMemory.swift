import NIOCore

/// Memory for large pieces of plaintext, used again once its reader has let go of it: to get fresh memory from the
/// system, page by page, takes a third of what decrypting the bytes takes.
struct PieceMemory {
    /// Smaller pieces are not worth it.
    private static let large = 64 << 10
    /// As many as a reader on another thread mostly has not let go of.
    private static let mostSpares = 4

    private var spares: [ByteBuffer] = []

    var spareCount: Int { spares.count }

    /// Empty, with room for so much. A small piece is taken as the end of a large body: nothing is kept for it.
    mutating func take(_ capacity: Int) -> ByteBuffer {
        guard capacity >= Self.large else {
            spares = []
            return ByteBufferAllocator().buffer(capacity: capacity)
        }
        for index in spares.indices where spares[index].modifyIfUniquelyOwned({ $0.clear() }) != nil {
            var piece = spares.remove(at: index)
            piece.reserveCapacity(capacity)
            return piece
        }
        return ByteBufferAllocator().buffer(capacity: capacity)
    }

    /// The reader has it from now on, too.
    mutating func keep(_ piece: ByteBuffer) {
        guard piece.capacity >= Self.large else { return }
        if spares.count == Self.mostSpares { spares.removeFirst() }
        spares.append(piece)
    }
}
