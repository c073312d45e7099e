#if !canImport(Darwin)
import Foundation
import NIOCore

/// Two ends of a pipe: what is written into one stream is what the other one gives.
///
/// For bodies that are made while they are sent: `needNewBodyStream`, or `URLRequest.httpBodyStream`, is given the
/// input stream, and a thread of the caller's writes into the output stream. The buffer between them is bounded: a
/// producer that is faster than the network waits in `write`.
///
///     let streams = BoundStreams(bufferSize: 65_536)
///     completionHandler(streams.inputStream)
///     DispatchQueue.global().async {
///         streams.outputStream.open()
///         // write until everything is written, or until write returns -1
///         streams.outputStream.close()
///     }
///
/// Closing the output stream is the end of the body. Dropping it unclosed is not: reading fails then, so that no body
/// is sent that is cut short. When the input stream is closed, as it is when its task completes, writing fails. An end
/// may be used from one thread at a time; neither needs a run loop, and `delegate` is never called.
///
/// In place of Apple's `Stream.getBoundStreams(withBufferSize:inputStream:outputStream:)`, which Linux lacks.
public struct BoundStreams: @unchecked Sendable {
    // Safety: what the ends share guards itself, and each end belongs to one thread at a time.

    /// Gives what was written: `read` waits for it. To be opened by its reader.
    public let inputStream: InputStream
    /// Takes what shall be read: `write` waits for room. To be opened and closed by the producer.
    public let outputStream: OutputStream

    /// Makes both ends.
    ///
    /// - Parameter bufferSize: How many bytes may be written ahead of the reader; less than 1 counts as 1.
    public init(bufferSize: Int = 65_536) {
        let pipe = BytePipe(capacity: max(1, bufferSize))
        inputStream = BoundInputStream(pipe)
        outputStream = BoundOutputStream(pipe)
    }
}

/// The buffer between the two ends.
final class BytePipe: @unchecked Sendable {
    // Safety: everything is touched under `condition` only.

    /// How an end stands. `gone` was dropped, or closed by the reader: the other one cannot go on.
    enum End { case open, closed, gone }

    private let condition = NSCondition()
    private let capacity: Int
    private var bytes = ByteBuffer()
    private var writer = End.open
    private var reader = End.open

    init(capacity: Int) { self.capacity = capacity }

    /// Waits for at least one byte; 0 at the end, -1 when there will be none.
    func read(into space: UnsafeMutableRawBufferPointer) -> Int {
        condition.lock()
        defer { condition.unlock() }
        while bytes.readableBytes == 0, writer == .open, reader == .open { condition.wait() }
        guard reader == .open else { return -1 }
        let count = min(bytes.readableBytes, space.count)
        guard count > 0 || space.isEmpty else { return writer == .closed ? 0 : -1 }
        bytes.readWithUnsafeReadableBytes { readable in
            space.copyMemory(from: UnsafeRawBufferPointer(rebasing: readable.prefix(count)))
            return count
        }
        condition.broadcast()
        return count
    }

    /// Waits for room for at least one byte; how many were taken, -1 when the reader is gone.
    func write(_ source: UnsafeRawBufferPointer) -> Int {
        condition.lock()
        defer { condition.unlock() }
        while bytes.readableBytes == capacity, writer == .open, reader == .open { condition.wait() }
        guard writer == .open, reader == .open else { return -1 }
        let count = min(capacity - bytes.readableBytes, source.count)
        bytes.discardReadBytes()
        bytes.writeBytes(UnsafeRawBufferPointer(rebasing: source.prefix(count)))
        condition.broadcast()
        return count
    }

    func endWriting(_ end: End) { change { if $0.writer == .open { $0.writer = end } } }

    func endReading(_ end: End) {
        change { pipe in
            if pipe.reader == .open { pipe.reader = end }
            pipe.bytes = ByteBuffer()
        }
    }

    private func change(_ body: (BytePipe) -> Void) {
        condition.withLock {
            body(self)
            condition.broadcast()
        }
    }

    var hasBytes: Bool { condition.withLock { bytes.readableBytes > 0 || writer != .open } }
    var hasRoom: Bool { condition.withLock { bytes.readableBytes < capacity && reader == .open } }
}

/// What both ends have in common with a stream that knows nothing of run loops.
private struct StreamLife {
    var status = Stream.Status.notOpen

    mutating func open() { if status == .notOpen { status = .open } }

    /// What an operation returned decides how the stream stands.
    mutating func note(_ result: Int) {
        if result == 0 { status = .atEnd }
        if result < 0 { status = .error }
    }
}

/// The reader's end. `close` may be called from any thread, and ends a `read` that waits.
final class BoundInputStream: InputStream {
    private let pipe: BytePipe
    private var life = StreamLife()

    init(_ pipe: BytePipe) {
        self.pipe = pipe
        super.init(data: Data())
    }

    deinit { pipe.endReading(.gone) }

    override func open() { life.open() }

    override func close() { pipe.endReading(.closed) }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        guard life.status == .open, len > 0 else { return life.status == .atEnd || len == 0 ? 0 : -1 }
        let count = pipe.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: len))
        life.note(count)
        return count
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override var hasBytesAvailable: Bool { life.status == .open && pipe.hasBytes }
    override var streamStatus: Stream.Status { life.status }
    override var streamError: (any Error)? { life.status == .error ? POSIXError(.EPIPE) : nil }
}

/// The producer's end.
final class BoundOutputStream: OutputStream {
    private let pipe: BytePipe
    private var life = StreamLife()

    init(_ pipe: BytePipe) {
        self.pipe = pipe
        super.init(toMemory: ())
    }

    required init(toMemory: ()) {
        pipe = BytePipe(capacity: 1)
        super.init(toMemory: ())
    }

    deinit { pipe.endWriting(.gone) }

    override func open() { life.open() }

    override func close() {
        pipe.endWriting(.closed)
        life.status = .closed
    }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        guard life.status == .open else { return -1 }
        guard len > 0 else { return 0 }
        let count = pipe.write(UnsafeRawBufferPointer(start: buffer, count: len))
        if count < 0 { life.note(count) }
        return count
    }

    override var hasSpaceAvailable: Bool { life.status == .open && pipe.hasRoom }
    override var streamStatus: Stream.Status { life.status }
    override var streamError: (any Error)? { life.status == .error ? POSIXError(.EPIPE) : nil }
}
#endif
