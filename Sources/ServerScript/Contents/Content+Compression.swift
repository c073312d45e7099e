import CZlib
import NIOCore

extension Content {
    /// What compression may yield at most; beyond it the content counts as unusable.
    package static let compressedLimit = 64 << 20

    /// The same bytes without a `compressed` case; nil when compressing them yields more than the limit.
    ///
    /// Costs the whole compression each time: a machine keeps the result in its `ContentStore`.
    package func plain(limit: Int = Content.compressedLimit) -> Content? {
        guard case .compressed(let inner, let coding, let damage) = self else { return self }
        guard let source = inner.plain(limit: limit) else { return nil }
        guard let bytes = Compression.run(source, coding, limit: limit) else { return nil }
        return .bytes(damage.map { $0.applied(to: bytes, coding) } ?? bytes)
    }
}

extension Content.Damage {
    fileprivate func applied(to bytes: [UInt8], _ coding: Content.Coding) -> [UInt8] {
        var bytes = bytes
        switch self {
        case .truncated: return Array(bytes.prefix(bytes.count / 2))
        // gzip ends with four bytes of each, zlib with its checksum alone.
        case .checksum: bytes[bytes.count - (coding == .gzip ? 8 : 4)] ^= 1
        case .length: bytes[bytes.count - 4] ^= 1
        }
        return bytes
    }
}

/// The plain form of each compressed content that a machine has used, or several have, one after another.
package final class ContentStore {
    private var known: [Content: Content] = [:]

    package init() {}

    func forget() { known = [:] }

    func plain(_ content: Content) -> Content? {
        guard case .compressed = content else { return content }
        if let plain = known[content] { return plain }
        let plain = content.plain()
        known[content] = plain
        return plain
    }
}

private enum Compression {
    static func run(_ source: Content, _ coding: Content.Coding, limit: Int) -> [UInt8]? {
        var stream = z_stream()
        // A gzip wrapper is 16 more, a raw stream is negative (zlib's manual, deflateInit2).
        let windowBits: Int32 = coding == .gzip ? 31 : coding == .deflate ? 15 : -15
        let size = Int32(MemoryLayout<z_stream>.size)
        let opened = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard opened == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var result: [UInt8] = []
        var offset = 0
        repeat {
            var piece = source.bytes(at: offset, count: 64 << 10)
            offset += piece.readableBytes
            let isLast = offset >= source.count
            let fits = piece.withUnsafeMutableReadableBytes { raw in
                stream.next_in = raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_in = UInt32(raw.count)
                return drain(&stream, isLast ? Z_FINISH : Z_NO_FLUSH, limit: limit, into: &result)
            }
            guard fits else { return nil }
        } while offset < source.count
        return result
    }

    private static func drain(_ stream: inout z_stream, _ flush: Int32, limit: Int, into result: inout [UInt8]) -> Bool
    {
        var room = [UInt8](repeating: 0, count: 32 << 10)
        repeat {
            let filled = room.withUnsafeMutableBufferPointer { out in
                stream.next_out = out.baseAddress
                stream.avail_out = UInt32(out.count)
                _ = deflate(&stream, flush)
                return out.count - Int(stream.avail_out)
            }
            result.append(contentsOf: room[..<filled])
            if result.count > limit { return false }
        } while stream.avail_out == 0
        return true
    }
}
