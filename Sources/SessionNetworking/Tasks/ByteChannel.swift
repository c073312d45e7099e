#if !canImport(Darwin)
import DequeModule
import Foundation
import NIOCore
import Locks

/// The body of a `bytes(for:)` task between the loop and the one reader that iterates over it.
///
/// Bounded by the delivery window: a piece counts as delivered when the reader has taken it.
final class ByteChannel: Sendable {
    private struct State {
        var pieces: Deque<ByteBuffer> = []
        var end: Result<Void, any Error>?
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())
    private let tookBytes: @Sendable (Int) -> Void

    /// `tookBytes` hears how many bytes the reader has taken, to open the window again.
    init(tookBytes: @escaping @Sendable (Int) -> Void) { self.tookBytes = tookBytes }

    func put(_ piece: ByteBuffer) { change { $0.pieces.append(piece) } }

    func end(_ result: Result<Void, any Error>) { change { $0.end = $0.end ?? result } }

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// The next piece, nil at the end; waits while the body is on its way. For one reader at a time.
    func next() async throws -> ByteBuffer? {
        while true {
            switch take() {
            case .piece(let piece):
                tookBytes(piece.readableBytes)
                return piece
            case .end(let result):
                try result.get()
                return nil
            case .nothing: await waitForChange()
            }
        }
    }

    private enum Taken {
        case piece(ByteBuffer)
        case end(Result<Void, any Error>)
        case nothing
    }

    private func take() -> Taken {
        state.withLock { state in
            if state.waiting != nil { return .end(.failure(URLError(.unknown))) }
            if let piece = state.pieces.popFirst() { return .piece(piece) }
            return state.end.map { .end($0) } ?? .nothing
        }
    }

    private func waitForChange() async {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                guard state.pieces.isEmpty, state.end == nil, state.waiting == nil else { return false }
                state.waiting = continuation
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }
}
#endif
