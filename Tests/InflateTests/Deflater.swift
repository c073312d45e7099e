import CZlib
import NIOCore

/// Makes samples for the tests: one whole buffer at once.
enum Deflater {
    enum Format: Int32, CaseIterable {
        case gzip = 31
        case zlib = 15
        case raw = -15
    }

    static func compress(_ bytes: [UInt8], as format: Format) -> ByteBuffer {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let started = deflateInit2_(&stream, 9, Z_DEFLATED, format.rawValue, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard started == Z_OK else { return ByteBuffer() }
        defer { deflateEnd(&stream) }
        var input = bytes
        let capacity = Int(deflateBound(&stream, UInt(bytes.count))) + 64
        var output = [UInt8](repeating: 0, count: capacity)
        input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                _ = deflate(&stream, Z_FINISH)
            }
        }
        return ByteBuffer(bytes: output.prefix(capacity - Int(stream.avail_out)))
    }
}
