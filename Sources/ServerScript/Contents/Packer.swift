import CZlib

/// What one call of a library has done.
struct PackedStep {
    var used = 0
    var written = 0
    /// Nothing is left of what was given, and with the last of it of the whole.
    var isDone = false
}

/// A library's state of one body that is being compressed.
protocol Packer: AnyObject {
    /// Takes and gives as much as it can; nil if it fails.
    func pack(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into room: UnsafeMutableRawBufferPointer
    ) -> PackedStep?
}

/// gzip and deflate, with the system's zlib.
final class ZlibPacker: Packer {
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter windowBits: A gzip wrapper is 16 more, a raw stream is negative (zlib's manual, deflateInit2).
    init?(windowBits: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        let opened = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard opened == Z_OK else { return nil }
    }

    deinit {
        // Refuses a stream that was never begun.
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    func pack(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into room: UnsafeMutableRawBufferPointer
    ) -> PackedStep? {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(clamping: room.count)
        let result = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        guard result != Z_STREAM_ERROR else { return nil }
        return PackedStep(
            used: input.count - Int(stream.pointee.avail_in), written: room.count - Int(stream.pointee.avail_out),
            isDone: isLast ? result == Z_STREAM_END : stream.pointee.avail_out > 0)
    }
}
