import NIOCore
import Testing

@testable import TLSEngine

@Suite struct PieceMemoryTests {
    private var memory = PieceMemory()

    private func place(of piece: ByteBuffer) -> UnsafeRawPointer? { piece.withVeryUnsafeBytes { $0.baseAddress } }

    /// What a reader has of a large body.
    private mutating func read(_ byte: UInt8, _ count: Int = 100_000) -> ByteBuffer {
        var piece = memory.take(count)
        piece.writeRepeatingByte(byte, count: count)
        memory.keep(piece)
        return piece
    }

    @Test mutating func `a piece is made of the memory of one that its reader has let go of`() {
        var former: ByteBuffer? = read(1)
        let place = former.flatMap(place)
        former = nil
        let next = read(2)
        #expect(self.place(of: next) == place)
        #expect(next.readableBytesView.allSatisfy { $0 == 2 } && next.readableBytes == 100_000)
    }

    @Test mutating func `a piece that somebody still reads stays as it is`() {
        let pieces = (0..<10).map { read(UInt8($0)) }
        #expect(Set(pieces.map { place(of: $0) }).count == 10)
        for (byte, piece) in pieces.enumerated() { #expect(piece.readableBytesView.allSatisfy { $0 == byte }) }
    }

    @Test mutating func `the end of a large body lets go of its memory`() {
        _ = (read(1), read(2))
        #expect(memory.spareCount > 0)
        _ = read(3, 10)
        #expect(memory.spareCount == 0)
    }
}
