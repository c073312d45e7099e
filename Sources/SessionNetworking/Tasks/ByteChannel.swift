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
        var reader: CheckedContinuation<ByteBuffer?, any Error>?
    }

    private let state = Lock(State())
    private let tookBytes: @Sendable (Int) -> Void

    /// `tookBytes` hears how many bytes the reader has taken, to open the window again.
    init(tookBytes: @escaping @Sendable (Int) -> Void) { self.tookBytes = tookBytes }

    func put(_ piece: ByteBuffer) {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            if state.reader == nil { state.pieces.append(piece) }
            return state.reader
        }
        guard let reader else { return }
        tookBytes(piece.readableBytes)
        reader.resume(returning: piece)
    }

    func end(_ result: Result<Void, any Error>) {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            state.end = state.end ?? result
            return state.reader
        }
        switch result {
        case .success: reader?.resume(returning: nil)
        case .failure(let error): reader?.resume(throwing: error)
        }
    }

    /// The next piece, nil at the end; waits while the body is on its way. For one reader at a time.
    func next() async throws -> ByteBuffer? {
        try await withCheckedThrowingContinuation { continuation in
            let ready: Result<ByteBuffer?, any Error>? = state.withLock { state in
                if let piece = state.pieces.popFirst() { return .success(piece) }
                if let end = state.end { return end.map { nil } }
                if state.reader != nil { return .failure(URLError(.unknown)) }
                state.reader = continuation
                return nil
            }
            guard let ready else { return }
            if case .success(let piece?) = ready { tookBytes(piece.readableBytes) }
            continuation.resume(with: ready)
        }
    }
}
#endif
