import BodyFiles
import Glibc
import HTTPBasics

/// An entry of a `CacheFolder` as it was found. Its file stays readable for as long as this value lives, even if the
/// entry is removed meanwhile: head and body always belong together.
package struct CacheEntry: Sendable {
    /// What was stored beside the body, as it was given.
    package let head: [UInt8]
    package let storedAt: UnixTime
    package let bodyLength: Int64
    /// No other entry has it.
    package var id: String { name.text }

    let name: EntryName
    let layout: EntryLayout
    /// Of its blocks.
    let checksums: [UInt8]
    let last: EntryLayout.LastHead
    let file: EntryFile

    init(
        _ name: EntryName, _ layout: EntryLayout, _ checksums: [UInt8], _ last: EntryLayout.LastHead, _ file: EntryFile
    ) {
        head = last.head
        storedAt = layout.stored
        bodyLength = layout.bodyLength
        (self.name, self.layout, self.checksums, self.last, self.file) = (name, layout, checksums, last, file)
    }
}

/// Why an entry's body cannot be read to its end.
package enum CacheTrouble: Error, Hashable, Sendable {
    /// Its bytes are not the ones that were stored.
    case damaged
    case unreadable(ErrorNumber)
}

/// The open file of an entry, and its first bytes: of a small entry these are all.
final class EntryFile: Sendable {
    static let startBytes = 16 * 1024

    let descriptor: Int32
    let length: Int64
    let start: [UInt8]

    init(_ descriptor: Int32, length: Int64, start: [UInt8]) {
        (self.descriptor, self.length, self.start) = (descriptor, length, start)
    }

    deinit { _ = close(descriptor) }

    /// What a name leads to.
    enum OpenedEntry {
        case entry(CacheEntry)
        /// Nothing, or something that is not ours.
        case nothing
        case damaged
        /// The process has no descriptor or no memory left.
        case unavailable
    }

    /// The entry of this name, if it is the one that the key has. Without waiting it seems damaged if parts of it are
    /// not in memory.
    ///
    /// - Parameter most: How long its body may be; a longer one seems damaged, too.
    static func open(
        _ name: EntryName, key: [UInt8], in place: FolderPlace, _ access: DiskAccess = .waiting, most: Int64 = .max
    ) -> OpenedEntry {
        let descriptor: Int32
        switch place.open(name.path, O_RDONLY, access) {
        case .success(let opened): descriptor = opened
        case .failure(let number): return number.isOfProcess ? .unavailable : .nothing
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, let mine = FolderPlace.EntryStatus(status) else {
            _ = close(descriptor)
            return .nothing
        }
        let start = (try? read(descriptor, at: 0, count: Int(min(mine.length, Int64(startBytes))), access)) ?? []
        let file = EntryFile(descriptor, length: mine.length, start: start)
        guard let layout = file.layout(access), layout.stored == name.stored, layout.tag == name.tag, layout.key == key,
            layout.bodyLength <= most, let rest = file.behindBody(layout, access)
        else { return .damaged }
        let count = Int(layout.recordsStart - layout.checksumsStart)
        guard rest.count > count, let last = layout.lastHead(in: rest.dropFirst(count)) else { return .damaged }
        return .entry(CacheEntry(name, layout, Array(rest.prefix(count)), last, file))
    }

    private func layout(_ access: DiskAccess) -> EntryLayout? {
        var start = start
        for _ in 0..<2 {
            switch EntryLayout.read(start, fileLength: length) {
            case .whole(let layout): return layout
            case .damaged: return nil
            case .needs(let count): start = (try? Self.read(descriptor, at: 0, count: count, access)) ?? []
            }
        }
        return nil
    }

    /// The checksums and the heads.
    private func behindBody(_ layout: EntryLayout, _ access: DiskAccess) -> ArraySlice<UInt8>? {
        if length <= Int64(start.count) { return start[Int(layout.checksumsStart)...] }
        let count = Int(length - layout.checksumsStart)
        return (try? Self.read(descriptor, at: layout.checksumsStart, count: count, access))?[...]
    }

    /// So many bytes, or fewer at the end of the file.
    static func read(
        _ descriptor: Int32, at offset: Int64, count: Int, _ access: DiskAccess = .waiting
    ) throws(CacheTrouble) -> [UInt8] {
        var trouble: CacheTrouble?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { space, filled in
            do throws(CacheTrouble) {
                filled = try access.read(descriptor, at: offset, into: UnsafeMutableRawBufferPointer(space))
            } catch {
                trouble = error
            }
        }
        if let trouble { throw trouble }
        return bytes
    }
}

extension CacheFolder {
    /// All that is kept for a key, newest first.
    ///
    /// - Parameter keepsUnseen: Whether what no descriptor is left for stays. Without them nobody knows what it is.
    package func entries(for key: String, keepsUnseen: Bool = true) -> [CacheEntry] {
        guard let hash = KeyHash(key), let place = place() else { return [] }
        let bytes = Array(key.utf8)
        return names(of: hash).prefix(Self.maximumVariants).compactMap { name in
            switch EntryFile.open(name, key: bytes, in: place) {
            case .entry(let entry): return entry
            case .nothing: noteGone(name)
            case .damaged: remove([name])
            case .unavailable where keepsUnseen: break
            case .unavailable: remove([name])
            }
            return nil
        }
    }

    /// Says that the entry was made use of, so that others are evicted first.
    package func use(_ entry: CacheEntry, at now: UnixTime) { noteUse(entry.name, at: now) }

    /// The same of all entries of a key; other processes are told in any case.
    package func use(key: String, at now: UnixTime) {
        guard let hash = KeyHash(key) else { return }
        for name in names(of: hash) { noteUse(name, at: now, saysSo: true) }
    }

    /// The body from its start, which is a use of the entry.
    package func openBody(of entry: CacheEntry, at now: UnixTime) -> CacheReader {
        noteUse(entry.name, at: now)
        return CacheReader(entry, in: self)
    }

    /// Gives the entry another head; its body and the time of its storing stay. Nil if that could not be written: then
    /// the old head stays, unless somebody has removed the entry. A use of the entry.
    package func replaceHead(of entry: CacheEntry, with head: [UInt8], at now: UnixTime) -> CacheEntry? {
        guard head.count <= EntryLayout.maximumHead, let place = place() else { return nil }
        let number = entry.last.number &+ 1
        let record = entry.layout.record(head, number: number)
        let (name, layout) = (entry.name, entry.layout)
        guard entry.last.end + record.count <= EntryLayout.maximumHeads else {
            return rewrite(entry, with: head, at: now)
        }
        guard faults.code(at: .open) == nil, case .success(let descriptor) = place.open(name.path, O_WRONLY) else {
            return nil
        }
        defer { _ = close(descriptor) }
        var (mine, other) = (stat(), stat())
        guard fstat(descriptor, &mine) == 0, fstat(entry.file.descriptor, &other) == 0,
            mine.st_ino == other.st_ino, mine.st_dev == other.st_dev
        else { return nil }
        let offset = layout.recordsStart + Int64(entry.last.end)
        guard write(record, to: descriptor, at: offset, faults) == nil else { return nil }
        noteLength(name, max(entry.file.length, offset + Int64(record.count)))
        // Writing has put the machine's clock there.
        noteUse(name, at: now, saysSo: true)
        guard case .entry(let renewed) = EntryFile.open(name, key: layout.key, in: place) else { return nil }
        return renewed
    }

    /// The same entry once more, under a new name, with one head.
    private func rewrite(_ entry: CacheEntry, with head: [UInt8], at now: UnixTime) -> CacheEntry? {
        let reader = CacheReader(entry, in: self)
        let writer = CacheWriter(in: self, key: entry.layout.key, hash: entry.name.hash, head: head, at: entry.storedAt)
        do {
            while let bytes = try reader.read(upTo: EntryLayout.blockBytes) { writer.append(bytes) }
        } catch {
            writer.abandon()
            return nil
        }
        let renewed = writer.finish(replacing: [entry])
        if let renewed { noteUse(renewed.name, at: now, saysSo: true) }
        return renewed
    }
}

/// Writes every byte, however the kernel splits them; the error number if it cannot.
func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int64, _ faults: DiskFaults) -> Int32? {
    let limit = faults.limit(of: bytes.count, at: offset)
    return bytes.withUnsafeBytes { whole in
        var rest = whole.prefix(limit?.bytes ?? whole.count)
        var position = off_t(offset)
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let (count, code) = retrying { pwrite(descriptor, piece.baseAddress, piece.count, position) }
            guard count >= 0 else { return code }
            // A regular file takes at least one byte or fails; 0 would make this loop endless.
            guard count > 0 else { return ENOSPC }
            rest = rest.dropFirst(count)
            position += count
        }
        return limit?.code
    }
}
