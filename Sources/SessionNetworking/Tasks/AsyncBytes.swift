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
        public struct Iterator: AsyncIteratorProtocol {
            let source: ByteSource
            private var piece = ByteBuffer()

            init(source: ByteSource) { self.source = source }

            /// The next byte, nil at the end of the body.
            ///
            /// - Throws: the `URLError` that the task failed with, after all bytes that came before it.
            public mutating func next() async throws -> UInt8? {
                if let byte = piece.readInteger(as: UInt8.self) { return byte }
                while let next = try await source.next() {
                    piece = next
                    if let byte = piece.readInteger(as: UInt8.self) { return byte }
                }
                return nil
            }
        }
    }
}

/// Keeps a `bytes(for:)` transfer alive for as long as somebody may read it.
final class ByteSource: Sendable {
    let task: URLSessionDataTask
    private let channel: ByteChannel

    init(task: URLSessionDataTask, channel: ByteChannel) {
        self.task = task
        self.channel = channel
    }

    deinit { task.signal { $0.cancel(keepingResumeData: false) } }

    func next() async throws -> ByteBuffer? {
        try await withTaskCancellationHandler {
            try await channel.next()
        } onCancel: {
            task.signal { $0.cancel(keepingResumeData: false) }
        }
    }
}
#endif
