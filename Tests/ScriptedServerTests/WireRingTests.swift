import HTTPBasics
import NIOCore
import Testing

@testable import ScriptedServer

@Suite struct WireRingTests {
    private func instant(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test func `pieces keep their instants, offsets and bytes`() {
        var ring = WireRing()
        ring.append(ByteBuffer(string: "ab"), at: instant(1))
        ring.append(ByteBuffer(), at: instant(2))
        ring.append(ByteBuffer(string: "cde"), at: instant(3))
        let pieces = ring.pieces(.sent)
        #expect(pieces.map(\.instant) == [instant(1), instant(3)])
        #expect(pieces.map(\.offset) == [0, 2])
        #expect(pieces.map(\.bytes) == [Array("ab".utf8), Array("cde".utf8)])
    }

    @Test(arguments: [1, 1000, 50_000, 65_536, 65_537, 200_000], [false, true])
    func `the newest 64 KiB are kept, whatever the size of the pieces`(size: Int, sharesLarge: Bool) {
        var ring = WireRing(sharesLarge: sharesLarge)
        var all: [UInt8] = []
        var generator = UInt8(0)
        while all.count < 300_000 {
            let piece = (0..<size).map { _ in
                generator = generator &* 5 &+ 3
                return generator
            }
            all += piece
            ring.append(ByteBuffer(bytes: piece), at: instant(Int64(all.count)))
            if size == 1, all.count >= 5000 { break }
        }
        let pieces = ring.pieces(.received)
        let kept = pieces.flatMap(\.bytes)
        #expect(kept.count <= WireRing.mostBytes)
        #expect(pieces.count <= WireRing.mostPieces)
        #expect(kept == Array(all.suffix(kept.count)))
        #expect(pieces.first?.offset == all.count - kept.count)
        // As much as the two bounds allow.
        #expect(kept.count == min(WireRing.mostBytes, size * WireRing.mostPieces))
        // Each piece still carries the instant of the append that brought it.
        #expect(pieces.allSatisfy { Int($0.instant.nanoseconds) == ($0.offset / size + 1) * size })
    }

    @Test(arguments: [false, true])
    func `small and large pieces keep their order`(sharesLarge: Bool) {
        var ring = WireRing(sharesLarge: sharesLarge)
        var wanted: [[UInt8]] = []
        for number in 0..<20 {
            let piece = [UInt8](repeating: UInt8(number), count: [100, 5000, 3000, 4096, 1][number % 5])
            wanted.append(piece)
            ring.append(ByteBuffer(bytes: piece), at: instant(Int64(number)))
        }
        let pieces = ring.pieces(.sent)
        #expect(pieces.map(\.bytes) == wanted)
        #expect(pieces.map(\.offset) == wanted.indices.map { wanted[..<$0].joined().count })
    }
}
