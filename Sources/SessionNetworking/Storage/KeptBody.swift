#if !canImport(Darwin)
import CacheFiles
import Foundation
import HTTPBasics
import NIOCore

/// Reads the body of an answer that was found on disk, some pieces at a time.
final class KeptBody: @unchecked Sendable {
    // Safety: for one caller at a time: who finds the answer, then who begins to tell it, then who goes on.

    struct Pieces {
        var list: [ByteBuffer]
        /// They are the last.
        var areLast: Bool
    }

    /// How many blocks are read at once: a mebibyte. Each time two threads are woken.
    private static let blocks = 16

    private let reader: CacheReader
    /// A HEAD request has no use for it.
    private let isWanted: Bool
    /// What is to be in memory from now on; nil if it is too much.
    private(set) var gathered: Data?
    private var ahead: Result<Pieces, any Error>?

    init(_ found: KeptFile, isWanted: Bool = true, inMemory limit: Int, at now: UnixTime) {
        reader = found.folder.openBody(of: found.entry, at: now)
        self.isWanted = isWanted
        if isWanted, found.entry.bodyLength <= Int64(limit) { gathered = Data(capacity: Int(found.entry.bodyLength)) }
    }

    /// How long the disk takes for what is read next, apart from itself.
    var delay: Duration { reader.delay }

    /// Whether the next pieces are there: nobody has to wait for them.
    var isAhead: Bool { ahead != nil }

    func readAhead() { ahead = Result { try read() } }

    func next() throws -> Pieces {
        guard let ahead else { return try read() }
        self.ahead = nil
        return try ahead.get()
    }

    private func read() throws -> Pieces {
        var pieces = Pieces(list: [], areLast: true)
        guard isWanted else { return pieces }
        while pieces.list.count < Self.blocks, pieces.list.isEmpty || reader.delay == .zero {
            guard let piece = try reader.read(upTo: .max) else { return pieces }
            gathered?.append(contentsOf: piece.readableBytesView)
            pieces.list.append(piece)
        }
        pieces.areLast = reader.isAtEnd
        return pieces
    }
}
#endif
