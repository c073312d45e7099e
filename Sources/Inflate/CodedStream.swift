import CZlib

/// What one call of a library has done.
struct CodedStep {
    enum Outcome {
        case goesOn
        /// Nothing was left to do without more input or more room.
        case stalled
        /// The end of the stream, or of a part of it behind which another may begin.
        case ended
        case corrupt
    }

    var used = 0
    var written = 0
    var outcome = Outcome.goesOn
}

/// A library's state of one coded stream.
protocol CodedStream: AnyObject {
    /// Takes and gives as much as it can.
    func run(_ input: UnsafeRawBufferPointer, into space: UnsafeMutableRawBufferPointer) -> CodedStep
    /// Ready for a further part of the stream.
    func restart() -> Bool
}

/// gzip and deflate, with the system's zlib.
final class ZlibStream: CodedStream {
    private let stream: UnsafeMutablePointer<z_stream>

    init?(windowBits: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let result = inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { return nil }
    }

    deinit {
        // Refuses a stream that was never begun.
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func run(_ input: UnsafeRawBufferPointer, into space: UnsafeMutableRawBufferPointer) -> CodedStep {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = space.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(clamping: space.count)
        let (given, room) = (stream.pointee.avail_in, stream.pointee.avail_out)
        let result = inflate(stream, Z_NO_FLUSH)
        var step = CodedStep(used: Int(given - stream.pointee.avail_in), written: Int(room - stream.pointee.avail_out))
        switch result {
        case Z_OK: step.outcome = .goesOn
        case Z_BUF_ERROR: step.outcome = .stalled
        case Z_STREAM_END: step.outcome = .ended
        default: step.outcome = .corrupt
        }
        return step
    }

    func restart() -> Bool { inflateReset(stream) == Z_OK }
}
