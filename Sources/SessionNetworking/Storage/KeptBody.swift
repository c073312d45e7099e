#if !canImport(Darwin)
import CacheFiles
import Foundation
import HTTPBasics
import NIOCore

/// Reads the body of an answer that was found on disk, a mebibyte at once: each time two threads are woken.
final class KeptBody: @unchecked Sendable {
    // Safety: for one caller at a time: who finds the answer, then who begins to tell it, then who goes on.

    struct Piece {
        /// Nil behind the last.
        var bytes: ByteBuffer?
        var isLast: Bool
    }

    private let reader: CacheReader
    /// A HEAD request has no use for it.
    private let isWanted: Bool
    /// What is to be in memory from now on; nil if it is too much.
    private(set) var gathered: Data?
    private var ahead: Result<Piece, any Error>?

    init(_ found: KeptFile, isWanted: Bool = true, inMemory limit: Int, at now: UnixTime) {
        reader = found.folder.openBody(of: found.entry, at: now)
        self.isWanted = isWanted
        if isWanted, found.entry.bodyLength <= Int64(limit) { gathered = Data(capacity: Int(found.entry.bodyLength)) }
    }

    /// How long the disk takes for what is read next, apart from itself.
    var delay: Duration { reader.delay }

    /// Whether the next piece is there: nobody has to wait for it.
    var isAhead: Bool { ahead != nil }

    func readAhead() { ahead = Result { try read() } }

    func next() throws -> Piece {
        guard let ahead else { return try read() }
        self.ahead = nil
        return try ahead.get()
    }

    private func read() throws -> Piece {
        guard isWanted, let bytes = try reader.read(upTo: CacheReader.mostBytes) else {
            return Piece(bytes: nil, isLast: true)
        }
        gathered?.append(contentsOf: bytes.readableBytesView)
        return Piece(bytes: bytes, isLast: reader.isAtEnd)
    }
}
#endif
