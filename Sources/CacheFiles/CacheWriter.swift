import BodyFiles
import Glibc
import HTTPBasics
import NIOCore

/// Writes one entry into a file of its own, which gets its name when it is whole: until then nobody finds it. A small
/// entry touches the disk only then.
///
/// What goes wrong makes it abandon the entry, quietly. For one caller at a time.
package final class CacheWriter {
    private enum State {
        /// Nothing is on disk yet.
        case fresh
        case open(descriptor: Int32, path: String, FolderPlace)
        case finished
        case abandoned
    }

    private let folder: CacheFolder
    private let head: [UInt8]
    private let name: EntryName
    private var layout: EntryLayout
    private var state = State.fresh
    /// What comes next in the file, and where that is.
    private var pending: [UInt8] = []
    private var position: Int64 = 0
    /// Of the blocks so far.
    private var checksums: [UInt8] = []
    /// Where in `pending` the present block begins.
    private var blockStart = 0

    init(in folder: CacheFolder, key: [UInt8], hash: KeyHash, head: [UInt8], at now: UnixTime) {
        self.folder = folder
        self.head = head
        name = EntryName(hash: hash, stored: now)
        layout = EntryLayout(key: key, bodyLength: 0, stored: now, tag: name.tag)
        if key.count > EntryLayout.maximumKey || head.count > EntryLayout.maximumHead { state = .abandoned }
        // Its place; what it says is known at the end.
        pending = [UInt8](repeating: 0, count: EntryLayout.openingBytes) + key
        blockStart = pending.count
    }

    deinit { abandon() }

    /// Whether the entry can still come to be.
    package var isAbandoned: Bool { if case .abandoned = state { true } else { false } }

    package func append(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { whole in
            var rest = whole[...]
            while !rest.isEmpty, isWriting {
                let room = EntryLayout.blockBytes - (pending.count - blockStart)
                let piece = rest.prefix(room)
                pending.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece))
                layout.bodyLength += Int64(piece.count)
                rest = rest.dropFirst(piece.count)
                if piece.count == room { endBlock() }
            }
        }
    }

    private var isWriting: Bool {
        switch state {
        case .fresh, .open: true
        case .finished, .abandoned: false
        }
    }

    private func endBlock() {
        seal()
        // Larger than all that may be kept.
        guard layout.recordsStart <= min(Int64(folder.capacity), EntryLayout.maximumFile) else { return abandon() }
        flush()
    }

    /// Ends the present block, if that has anything.
    private func seal() {
        guard pending.count > blockStart else { return }
        let block = layout.blocks - 1
        let checksum = pending.withUnsafeBytes {
            layout.checksum(ofBlock: block, UnsafeRawBufferPointer(rebasing: $0[blockStart...]))
        }
        checksums.append(number: checksum)
        blockStart = pending.count
    }

    private func flush() {
        guard let descriptor = open() else { return abandon() }
        guard write(pending, to: descriptor, at: position, folder.faults) == nil else { return abandon() }
        position += Int64(pending.count)
        pending.removeAll(keepingCapacity: true)
        blockStart = 0
    }

    private func open() -> Int32? {
        switch state {
        case .open(let descriptor, _, _): return descriptor
        case .finished, .abandoned: return nil
        case .fresh: break
        }
        guard folder.faults.code(at: .open) == nil, let place = folder.place(makes: true) else { return nil }
        return create(in: place) ?? folder.renewed(place).flatMap(create)
    }

    private func create(in place: FolderPlace) -> Int32? {
        for _ in 0..<3 {
            guard let (descriptor, path) = createFile(in: place) else { return nil }
            // Says that its writer lives. Who cleans up may have been faster, and removes it.
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
            var status = stat()
            if isLocked, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
                state = .open(descriptor: descriptor, path: path, place)
                return descriptor
            }
            place.remove(path)
            _ = close(descriptor)
        }
        return nil
    }

    private func createFile(in place: FolderPlace) -> (Int32, path: String)? {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let path = "\(FolderPlace.unfinished)/\(String(repeating: "0", count: 16 - digits.count))\(digits)"
        guard case .success(let descriptor) = place.open(path, O_RDWR | O_CREAT | O_EXCL) else { return nil }
        return (descriptor, path)
    }

    /// Gives the entry to all who look for its key, and removes those that it replaces; nil if it was abandoned.
    package func finish(replacing replaced: [CacheEntry] = []) -> CacheEntry? {
        guard isWriting else { return nil }
        seal()
        let record = layout.record(head, number: 0)
        let length = layout.recordsStart + Int64(record.count)
        guard length <= EntryLayout.maximumFile, CacheFolder.space(of: length) <= folder.capacity else {
            return abandoned()
        }
        let opening = layout.opening
        if position == 0 { pending.replaceSubrange(0..<opening.count, with: opening) }
        let isSmall = position == 0
        pending += checksums + record
        let start = isSmall ? pending : nil
        flush()
        guard case .open(let descriptor, let path, let place) = state else { return nil }
        if !isSmall, write(opening, to: descriptor, at: 0, folder.faults) != nil { return abandoned() }
        let times = [timespec(layout.stored), timespec(layout.stored)]
        _ = times.withUnsafeBufferPointer { futimens(descriptor, $0.baseAddress) }
        guard folder.faults.code(at: .close) == nil,
            folder.changing(name.hash.bucket, place, { place.rename(path, to: name) })
        else { return abandoned() }
        // The lock says nothing any more, and the entry keeps the descriptor.
        _ = flock(descriptor, LOCK_UN)
        state = .finished
        let last = EntryLayout.LastHead(head: head, number: 0, end: record.count)
        let known = start.map { Array($0.prefix(EntryFile.startBytes)) } ?? []
        let file = EntryFile(descriptor, length: length, start: known)
        folder.noteStored(name, length: length)
        folder.remove(replaced.map(\.name))
        return CacheEntry(name, layout, checksums, last, file)
    }

    private func abandoned() -> CacheEntry? {
        abandon()
        return nil
    }

    /// Nothing of it stays; does nothing behind `finish`.
    package func abandon() {
        switch state {
        case .open(let descriptor, let path, let place):
            place.remove(path)
            _ = close(descriptor)
            state = .abandoned
        case .fresh: state = .abandoned
        case .finished, .abandoned: break
        }
        (pending, checksums) = ([], [])
        blockStart = 0
    }
}

extension CacheFolder {
    /// Begins an entry: nobody finds it before it is finished.
    ///
    /// - Parameter now: When it is stored, and used for the first time.
    package func beginEntry(key: String, head: [UInt8], at now: UnixTime) -> CacheWriter? {
        guard let hash = KeyHash(key) else { return nil }
        return CacheWriter(in: self, key: Array(key.utf8), hash: hash, head: head, at: now)
    }
}
