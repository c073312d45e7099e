#if !canImport(Darwin)
import CacheFiles
import ClientMachines
import Foundation
import HTTPBasics
import MachineContract
import NIOCore

/// The answers that a cache keeps on disk. All of it waits for the disk.
struct DiskResponses: Sendable {
    let folder: CacheFolder

    /// Of a key, the newest first. What is to be changed and cannot be seen is out of date, and goes.
    func find(_ key: CacheKey, toChange: Bool = false) -> [KeptFile] {
        folder.entries(for: key.text, keepsUnseen: !toChange).compactMap { entry in
            guard let head = KeptHead(entry.head) else {
                folder.remove(entry)
                return nil
            }
            return KeptFile(key: key, entry: entry, head: head, folder: folder)
        }
    }

    // MARK: - Changes

    func make(_ change: DiskChange, at now: UnixTime) {
        switch change {
        case .keep(let head, let data, let key):
            let body = StreamedBody(head, for: key)
            append(ByteBuffer(bytes: data), to: body, at: now)
            finish(body)
        case .append(let body, let piece): append(piece, to: body, at: now)
        case .finish(let body, let bytes):
            // A piece may have been refused.
            if body.bytes == bytes { finish(body) } else { body.writer?.abandon() }
        case .abandon(let body): body.writer?.abandon()
        case .freshen(let former, let head, let key): freshen(former, head, key, at: now)
        case .use(let key): folder.use(key: key.text, at: now)
        case .forget(let key): folder.remove(key: key.text)
        case .forgetVariant(let variant, let key): remove(entries(of: variant, key))
        case .outdate(let newer):
            remove(find(newer.key, toChange: true).filter { newer.outdates($0.head.record) }.map(\.entry))
        case .forgetAll: folder.removeAll()
        case .forgetSince(let time): folder.remove(since: time)
        }
    }

    private func append(_ piece: ByteBuffer, to body: StreamedBody, at now: UnixTime) {
        if body.bytes == 0, body.writer == nil {
            body.writer = folder.beginEntry(key: body.key.text, head: body.head.bytes, at: now)
        }
        body.bytes += piece.readableBytes
        body.writer?.append(piece)
    }

    /// Where it could not be written, the former one is out of date all the same.
    private func finish(_ body: StreamedBody) {
        let former = entries(of: body.head.record.variant, body.key)
        if body.writer?.finish(replacing: former) == nil { remove(former) }
        body.writer = nil
    }

    private func entries(of variant: Variant, _ key: CacheKey) -> [CacheEntry] {
        find(key, toChange: true).filter { $0.head.record.variant == variant }.map(\.entry)
    }

    private func remove(_ entries: [CacheEntry]) {
        for entry in entries { folder.remove(entry) }
    }

    /// Where another process has put something else in its place, that stays.
    private func freshen(_ former: StoredResponse, _ head: KeptHead, _ key: CacheKey, at now: UnixTime) {
        for found in find(key, toChange: true) where found.head.record == former {
            if folder.replaceHead(of: found.entry, with: head.bytes, at: now) == nil { folder.remove(found.entry) }
        }
    }

    /// How long the disk takes for a change, apart from the change itself, by the faults that were asked for.
    func delay(of change: DiskChange) -> Duration {
        switch change {
        case .keep(_, let data, _):
            folder.delay(of: .open) + folder.delay(of: .write(from: Int64(data.count))) + folder.delay(of: .close)
        case .append(let body, let piece):
            folder.delay(of: .write(from: Int64(body.bytes + piece.readableBytes)))
        case .finish: folder.delay(of: .close)
        case .freshen, .abandon, .use, .forget, .forgetVariant, .outdate, .forgetAll, .forgetSince: .zero
        }
    }
}
#endif
