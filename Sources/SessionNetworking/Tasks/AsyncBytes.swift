#if !canImport(Darwin)
import Foundation
import NIOCore

extension URLSession {
    /// The bytes of a response body, one by one, as they arrive. One iteration only.
    ///
    /// Reading slowly holds the server back. Dropping the sequence, or cancelling the Swift task that iterates, cancels
    /// the transfer. Source: developer.apple.com, URLSession.AsyncBytes.
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// One byte of the body.
        public typealias Element = UInt8
        /// The `URLError` that the task failed with.
        public typealias Failure = any Error

        /// The task that loads the bytes.
        public var task: URLSessionDataTask { source.task }
        let source: ByteSource

        /// Starts the iteration.
        public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

        /// Iterates over the bytes of one response body.
        ///
        /// What has arrived is handed out without a call: the compiler sees through `next()` as far as the array.
        public struct Iterator: AsyncIteratorProtocol {
            let source: ByteSource
            @usableFromInline var piece: [UInt8] = []
            @usableFromInline var position = 0

            init(source: ByteSource) { self.source = source }

            /// The next byte, nil at the end of the body.
            ///
            /// - Throws: the `URLError` that the task failed with, after all bytes that came before it.
            @inlinable @inline(__always)
            public mutating func next() async throws -> UInt8? {
                if position < piece.count {
                    defer { position &+= 1 }
                    return piece[position]
                }
                return try await nextOfNextPiece(isolation: nil)
            }

            /// The same in the caller's isolation; what `for try await` calls.
            @inlinable @inline(__always)
            public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> UInt8? {
                if position < piece.count {
                    defer { position &+= 1 }
                    return piece[position]
                }
                return try await nextOfNextPiece(isolation: actor)
            }

            @usableFromInline
            mutating func nextOfNextPiece(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
                while let next = try await source.next() {
                    guard let first = next.readableBytesView.first else { continue }
                    piece = Array(next.readableBytesView)
                    position = 1
                    return first
                }
                piece = []
                position = 0
                return nil
            }
        }
    }
}

/// Keeps a `bytes(for:)` transfer alive for as long as a reader is left.
final class ByteSource: Sendable {
    let task: URLSessionDataTask
    private let channel: ByteChannel

    init(task: URLSessionDataTask, channel: ByteChannel) {
        self.task = task
        self.channel = channel
    }

    deinit { task.signal { $0.gate.cancel(keepingResumeData: false) } }

    func next() async throws -> ByteBuffer? {
        try await withTaskCancellationHandler {
            try await channel.next()
        } onCancel: {
            task.signal { $0.gate.cancel(keepingResumeData: false) }
        }
    }
}
#endif
