import NIOCore
import ServerScript

extension BentHead {
    /// The head with what the bomb needs, and the bomb behind it or within.
    func carrying(_ bomb: Bomb) -> [ByteBuffer] {
        switch bomb {
        case .gzip: return with("Content-Encoding: gzip", BombBytes.gzip)
        case .gzipInGzip: return with("Content-Encoding: gzip, gzip", BombBytes.gzipInGzip)
        case .gzipOfNothing: return with("Content-Encoding: gzip, gzip", BombBytes.gzipOfNothing)
        case .singleByteChunks: return chunked(BombBytes.singleByteChunks)
        case .chunkExtensions: return chunked(BombBytes.chunkExtensions)
        case .chunkSize: return chunked(BombBytes.chunkSize)
        case .trailers: return chunked(BombBytes.trailers)
        case .informational: return [BombBytes.informational, ByteBuffer(bytes: bytes)]
        case .phrase: return [ByteBuffer(bytes: unended(1)), BombBytes.letters]
        case .value: return [ByteBuffer(bytes: unended(2)), BombBytes.letters]
        case .fields: return [ByteBuffer(bytes: bytes.dropLast(2)), BombBytes.fields]
        case .folding: return [ByteBuffer(bytes: bytes.dropLast(2)), BombBytes.folding]
        case .surplus: return [ByteBuffer(bytes: bytes), BombBytes.letters]
        }
    }

    private func with(_ coding: String, _ body: ByteBuffer) -> [ByteBuffer] {
        var head = withoutFraming
        head.add(coding)
        head.add("Content-Length: \(body.readableBytes)")
        return [ByteBuffer(bytes: head.bytes), body]
    }

    private func chunked(_ body: ByteBuffer) -> [ByteBuffer] {
        var head = withoutFraming
        head.add("Transfer-Encoding: chunked")
        return [ByteBuffer(bytes: head.bytes), body]
    }

    private var withoutFraming: BentHead {
        var head = self
        for name in ["content-length", "transfer-encoding", "content-encoding"] { head.remove(name) }
        return head
    }

    /// So many lines of the head, the last without its end.
    private func unended(_ count: Int) -> [UInt8] { lines.prefix(count).flatMap(\.bytes).dropLast(2) }
}
