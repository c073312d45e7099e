import NIOCore

extension Content {
    /// What compression may yield at most; beyond it the content counts as unusable.
    package static let compressedLimit = 64 << 20

    /// The same bytes without a `compressed` case; nil when compressing them yields more than the limit, or takes a
    /// library that is not installed.
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
        // gzip ends with four bytes of each, zlib and zstd with their checksum alone.
        case .checksum: bytes[bytes.count - (coding == .gzip ? 8 : 4)] ^= 1
        case .length: bytes[bytes.count - 4] ^= 1
        }
        return bytes
    }
}

/// The plain form of each compressed content that a machine has used, or several have, one after another.
package final class ContentStore {
    /// Nil for one that cannot be compressed, which is found out once.
    private var known: [Content: Content?] = [:]

    package init() {}

    func forget() { known = [:] }

    func plain(_ content: Content) -> Content? {
        guard case .compressed = content else { return content }
        if let plain = known[content] { return plain }
        let plain = content.plain()
        known[content] = .some(plain)
        return plain
    }
}

private enum Compression {
    static func run(_ source: Content, _ coding: Content.Coding, limit: Int) -> [UInt8]? {
        guard let packer = packer(coding) else { return nil }
        var room = [UInt8](repeating: 0, count: 32 << 10)
        var result: [UInt8] = []
        var offset = 0
        repeat {
            let piece = source.bytes(at: offset, count: 64 << 10)
            offset += piece.readableBytes
            let isLast = offset >= source.count
            let fits = piece.withUnsafeReadableBytes { raw in
                pack(raw, packer, isLast, by: &room, limit: limit, into: &result)
            }
            guard fits else { return nil }
        } while offset < source.count
        return result
    }

    /// Nil where this machine has no library for it.
    private static func packer(_ coding: Content.Coding) -> (any Packer)? {
        switch coding {
        case .gzip: ZlibPacker(windowBits: 31)
        case .deflate: ZlibPacker(windowBits: 15)
        case .rawDeflate: ZlibPacker(windowBits: -15)
        case .brotli: BrotliPacker()
        case .zstd: ZstdPacker()
        }
    }

    private static func pack(
        _ piece: UnsafeRawBufferPointer, _ packer: any Packer, _ isLast: Bool, by room: inout [UInt8], limit: Int,
        into result: inout [UInt8]
    ) -> Bool {
        var rest = piece
        while true {
            guard let step = room.withUnsafeMutableBytes({ packer.pack(rest, isLast: isLast, into: $0) }) else {
                return false
            }
            result.append(contentsOf: room[..<step.written])
            if result.count > limit { return false }
            if step.isDone { return true }
            rest = UnsafeRawBufferPointer(rebasing: rest[step.used...])
        }
    }
}
