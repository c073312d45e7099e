#if !canImport(Darwin)
import CacheFiles
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore

/// Answers with what the session's cache has kept on disk, some pieces at a time: the next ones are read when the last
/// were taken.
///
/// The first ones are read before anything is told: where that fails, or takes too long, the request goes to its server
/// (BEHAVIOUR 2.D4-lost, 2.D7-slow).
final class KeptFileLoader: Loader, @unchecked Sendable {
    // Safety: `reader`, `gathered` and `isOver` are used by jobs of `executor` only, which runs one after another.

    /// How many blocks are read at once.
    private static let blocks = 4

    private let found: KeptFile
    private let version: UInt64
    private let request: ClientRequest
    private let cache: URLCache
    private let world: SessionWorld
    private let executor: any CallExecutor
    private let inlet: EventInlet
    /// Who has it tells first: what was read, or that it is left to its server.
    private let first: OnlyOnce<EventInlet>
    /// Called with 1 when the first pieces were not waited for, and with -1 when they are there.
    private let countSlow: @Sendable (Int) -> Void
    private var reader: CacheReader?
    /// What is to be in memory from now on.
    private var gathered: Data?
    private var isOver = false

    init(
        _ found: KeptFile, version: UInt64, for request: ClientRequest, of cache: URLCache,
        in world: SessionWorld, executor: any CallExecutor, inlet: EventInlet,
        countSlow: @escaping @Sendable (Int) -> Void
    ) {
        (self.found, self.version, self.request, self.cache) = (found, version, request, cache)
        (self.world, self.executor, self.inlet) = (world, executor, inlet)
        self.countSlow = countSlow
        first = OnlyOnce(inlet)
        if found.entry.bodyLength <= Int64(cache.limits.inMemory) { gathered = Data() }
    }

    func begin() {
        world.later(URLCache.patience) { [first, countSlow] in
            guard let inlet = first.take() else { return }
            countSlow(1)
            inlet.say(.declined)
        }
        readOn(isFirst: true)
    }

    func goOn() { readOn(isFirst: false) }

    func end() {
        executor.run {
            self.isOver = true
            self.gathered = nil
            self.reader = nil
        }
    }

    private func readOn(isFirst: Bool) {
        executor.run {
            guard !self.isOver else { return self.forsake(isFirst: isFirst) }
            let delay = self.openedReader.delay
            guard delay > .zero else { return self.tellOn(isFirst: isFirst) }
            self.world.later(delay) { self.executor.run { self.tellOn(isFirst: isFirst) } }
        }
    }

    // MARK: - On the executor

    private var openedReader: CacheReader {
        if let reader { return reader }
        let opened = found.folder.openBody(of: found.entry, at: UnixTime(world.clock.date()))
        reader = opened
        return opened
    }

    /// Nobody wants it any more. It counts no longer as slow, if it did.
    private func forsake(isFirst: Bool) {
        if isFirst, first.take() == nil { countSlow(-1) }
    }

    private func tellOn(isFirst: Bool) {
        guard !isOver else { return forsake(isFirst: isFirst) }
        let reader = openedReader, read = Result { try readSome(reader) }
        if isFirst, first.take() == nil { return countSlow(-1) }
        switch read {
        case .success(let (pieces, isWhole)): tell(pieces, isFirst: isFirst, isWhole: isWhole)
        case .failure where isFirst: inlet.say(.declined)
        case .failure:
            // As if its server had gone away: whoever asks once more is answered by the server.
            inlet.say(.failed(.networkConnectionLost, detail: "The kept answer cannot be read from disk to its end."))
        }
    }

    private func tell(_ pieces: [ByteBuffer], isFirst: Bool, isWhole: Bool) {
        let head = ResponseHead(status: found.head.record.status, fields: FieldBlock(found.head.record.fields))
        let response = Response.kept(head, for: request, bytes: Int(clamping: found.entry.bodyLength))
        if isWhole {
            isOver = true
            remember()
        }
        if isFirst, isWhole, pieces.count <= 1 { return inlet.say(.whole(response, pieces.first ?? ByteBuffer())) }
        inlet.say((isFirst ? [.response(response)] : []) + pieces.map { .data($0) } + (isWhole ? [.end] : []))
    }

    /// And whether these are the last.
    private func readSome(_ reader: CacheReader) throws -> (pieces: [ByteBuffer], isWhole: Bool) {
        guard request.method != "HEAD" else {
            gathered = nil
            return ([], true)
        }
        var pieces: [ByteBuffer] = []
        while pieces.count < Self.blocks, pieces.isEmpty || reader.delay == .zero {
            guard let piece = try reader.read(upTo: .max) else { return (pieces, true) }
            gathered?.append(contentsOf: piece.readableBytesView)
            pieces.append(piece)
        }
        return (pieces, reader.isAtEnd)
    }

    private func remember() {
        guard let data = gathered else { return }
        gathered = nil
        cache.remember(found.response(data), found, version: version)
    }
}
#endif
