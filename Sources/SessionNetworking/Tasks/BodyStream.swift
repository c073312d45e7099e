#if !canImport(Darwin)
import ClientMachines
import Foundation
import MachineContract
import NIOCore

/// A request body that is read from the caller's `InputStream`, one piece at a time.
///
/// A read may wait for as long as the stream likes, so each stream has a serial queue of its own.
/// `hasBytesAvailable` is not asked: on Linux it denies what a slow stream still has to give. Nor is `streamError`,
/// which traps there when a file cannot be opened.
final class BodyStream: @unchecked Sendable {
    // Safety: once the task owns it, `stream` and `isOpen` are touched only by jobs of `executor`, which runs one after
    // another.

    private static let pieceBytes = 64 * 1024

    let stream: InputStream
    private let executor: any CallExecutor
    /// By us.
    private var isOpen = false

    init(_ stream: InputStream, executor: any CallExecutor) {
        self.stream = stream
        self.executor = executor
    }

    /// Reads once, off the caller's thread; the first read opens the stream.
    func read(_ take: @escaping @Sendable (BodyPiece) -> Void) {
        executor.run { take(self.next()) }
    }

    /// Behind a read that is under way; but one that waits for a producer may wait for ever.
    func close() {
        if let stream = stream as? BoundInputStream { return stream.close() }
        executor.run { self.stream.close() }
    }

    private func next() -> BodyPiece {
        if !isOpen {
            // If the stream has been opened elsewhere, it is unknown how much is left.
            guard stream.streamStatus == .notOpen else {
                return .failed("The body stream has been opened already.")
            }
            stream.open()
            isOpen = true
        }
        var piece = ByteBufferAllocator().buffer(capacity: Self.pieceBytes)
        var count = 0
        piece.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.pieceBytes) { space in
            guard let start = space.bindMemory(to: UInt8.self).baseAddress else { return 0 }
            count = stream.read(start, maxLength: Self.pieceBytes)
            return min(max(0, count), Self.pieceBytes)
        }
        switch count {
        case 0: return .end
        case 1...Self.pieceBytes: return .bytes(piece)
        default: return .failed("The body stream could not be read.")
        }
    }
}

/// The body streams of one task, by number: the request's own, and those that delegates provided.
struct BodyStreams {
    private var list: [BodyStream] = []

    /// The one before has been sent as far as it will be.
    mutating func add(_ stream: BodyStream) -> BodyStreamID {
        list.last?.close()
        list.append(stream)
        return BodyStreamID(list.count)
    }

    subscript(id: BodyStreamID) -> BodyStream? {
        list.indices.contains(id.value - 1) ? list[id.value - 1] : nil
    }

    /// What the request is to read its body from, if that is a stream.
    func stream(of request: ClientRequest) -> InputStream? {
        guard case .stream(let id) = request.body else { return nil }
        return self[id]?.stream
    }

    func closeAll() {
        for stream in list { stream.close() }
    }
}
#endif
