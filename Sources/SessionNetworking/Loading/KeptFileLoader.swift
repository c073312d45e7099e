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

    /// How many blocks are read at once: a mebibyte. Each time two threads are woken.
    private static let blocks = 16

    private let found: KeptFile
    private let version: UInt64
    private let request: ClientRequest
    private let cache: URLCache
    private let world: SessionWorld
    private let executor: any CallExecutor
    private let inlet: EventInlet
    private var reader: CacheReader?
    /// What is to be in memory from now on.
    private var gathered: Data?
    private var isOver = false

    init(
        _ found: KeptFile, version: UInt64, for request: ClientRequest, of cache: URLCache,
        in world: SessionWorld, executor: any CallExecutor, inlet: EventInlet
    ) {
        (self.found, self.version, self.request, self.cache) = (found, version, request, cache)
        (self.world, self.executor, self.inlet) = (world, executor, inlet)
        if found.entry.bodyLength <= Int64(cache.limits.inMemory) { gathered = Data() }
    }

    func begin() {
        readOn(PatientRead(of: cache, for: inlet, later: world.later) { inlet in inlet.say(.declined) })
    }

    func goOn() { readOn(nil) }

    func end() {
        executor.run {
            self.isOver = true
            self.gathered = nil
            self.reader = nil
        }
    }

    /// - Parameter first: For the first pieces: the one who waits for them.
    private func readOn(_ first: PatientRead<EventInlet>?) {
        executor.run {
            let delay = self.isOver ? .zero : self.openedReader.delay
            guard delay > .zero else { return self.tellOn(first) }
            self.world.later(delay) { self.executor.run { self.tellOn(first) } }
        }
    }

    // MARK: - On the executor

    private var openedReader: CacheReader {
        if let reader { return reader }
        let opened = found.folder.openBody(of: found.entry, at: UnixTime(world.clock.date()))
        reader = opened
        return opened
    }

    private func tellOn(_ first: PatientRead<EventInlet>?) {
        let read = isOver ? nil : Result { try readSome(openedReader) }
        if let first, first.end() == nil { return }
        switch read {
        case nil: break
        case .success(let (pieces, isWhole)): tell(pieces, isFirst: first != nil, isWhole: isWhole)
        case .failure where first != nil: inlet.say(.declined)
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
