#if !canImport(Darwin)
import CacheFiles
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore
import Synchronization

/// Answers with what the session's cache has kept on disk, a piece at a time: the next one is read when the last was
/// taken.
///
/// The first one is there before anything is told: where it cannot be read, or not in time, the request goes to its
/// server (BEHAVIOUR 2.D4-lost, 2.D7-slow).
final class KeptFileLoader: Loader, @unchecked Sendable {
    // Safety: `body` is used by `begin`, before there are any jobs of `executor`, and then by these only, which run one
    // after another.

    private let found: KeptFile
    private let version: UInt64
    private let request: ClientRequest
    private let cache: URLCache
    private let world: SessionWorld
    private let executor: any CallExecutor
    private let inlet: EventInlet
    private var body: KeptBody?
    /// Nobody wants any more.
    private let isOver = Atomic(false)

    init(
        _ found: KeptFile, version: UInt64, for request: ClientRequest, of cache: URLCache,
        in world: SessionWorld, executor: any CallExecutor, inlet: EventInlet
    ) {
        (self.found, self.version, self.request, self.cache) = (found, version, request, cache)
        (self.world, self.executor, self.inlet) = (world, executor, inlet)
        body = found.body
    }

    func begin() {
        if body?.isAhead == true { return tellOn(isFirst: true) }
        readOn(PatientRead(of: cache, for: inlet, later: world.later) { inlet in inlet.say(.declined) })
    }

    func goOn() { readOn(nil) }

    func end() { isOver.store(true, ordering: .relaxed) }

    /// - Parameter first: For the first piece: the one who waits for it.
    private func readOn(_ first: PatientRead<EventInlet>?) {
        executor.run {
            let delay = self.isOver.load(ordering: .relaxed) ? .zero : self.opened.delay
            guard delay > .zero else { return self.readNow(first) }
            self.world.later(delay) { self.executor.run { self.readNow(first) } }
        }
    }

    // MARK: - On the executor

    private var opened: KeptBody {
        if let body { return body }
        let opened = KeptBody(
            found, isWanted: request.method != "HEAD", inMemory: cache.limits.inMemory,
            at: UnixTime(world.clock.date()))
        body = opened
        return opened
    }

    private func readNow(_ first: PatientRead<EventInlet>?) {
        if !isOver.load(ordering: .relaxed) { opened.readAhead() }
        if let first, first.end() == nil { return }
        tellOn(isFirst: first != nil)
    }

    private func tellOn(isFirst: Bool) {
        guard !isOver.load(ordering: .relaxed) else { return }
        do {
            tell(try opened.next(), isFirst)
        } catch  where isFirst {
            inlet.say(.declined)
        } catch {
            // As if its server had gone away: whoever asks once more is answered by the server.
            inlet.say(.failed(.networkConnectionLost, detail: "The kept answer cannot be read from disk to its end."))
        }
    }

    private func tell(_ piece: KeptBody.Piece, _ isFirst: Bool) {
        let response = found.answer(to: request)
        if piece.isLast, let data = opened.gathered {
            cache.remember(found.response(data), found, version: version)
        }
        if isFirst, piece.isLast { return inlet.say(.whole(response, piece.bytes ?? ByteBuffer())) }
        let events = (piece.bytes.map { [LoadEvent.data($0)] } ?? []) + (piece.isLast ? [.end] : [])
        inlet.say((isFirst ? [.response(response)] : []) + events)
    }
}
#endif
