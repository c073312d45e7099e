#if !canImport(Darwin)
import CacheFiles
import ClientMachines
import Foundation
import HTTPBasics
import NIOCore

/// An answer that was found on disk. It can be read to its end, whatever becomes of its file meanwhile.
struct KeptFile: Sendable {
    let key: CacheKey
    let entry: CacheEntry
    var head: KeptHead
    let folder: CacheFolder
    /// What was begun to be read when it was found.
    var body: KeptBody?
    /// All of it, where nobody had to wait for it.
    var whole: ByteBuffer?

    /// The whole of it; nil if its file is damaged, and gone then. Waits for the disk.
    func response(at now: UnixTime) -> CachedURLResponse? {
        let reader = folder.openBody(of: entry, at: now)
        var data = Data(capacity: Int(clamping: entry.bodyLength))
        do {
            while let piece = try reader.read(upTo: .max) { data.append(contentsOf: piece.readableBytesView) }
        } catch {
            return nil
        }
        return response(data)
    }

    func answer(to request: ClientRequest) -> Response {
        let kept = ResponseHead(status: head.record.status, fields: FieldBlock(head.record.fields))
        return .kept(kept, for: request, bytes: Int(clamping: entry.bodyLength))
    }

    func response(_ data: Data) -> CachedURLResponse {
        CachedURLResponse(head.record, response: head.record.response(from: URL(string: head.url)), data: data)
    }
}
#endif
