import BodyFiles
import NIOCore

/// An entry that nobody has to wait for: the system has all of it in memory.
package struct EntryAtHand: Sendable {
    package let entry: CacheEntry
    private let folder: CacheFolder
    private let access: DiskAccess

    /// The only entry of a key. Nil if there is none, or more than one, or a long one, or if it must be looked for on
    /// disk, and where anything is not as it should be: who may wait finds out.
    package init?(of key: String, in folder: CacheFolder) {
        guard let (access, place) = folder.atHand, folder.delay(of: .open) == .zero, let hash = folder.hash(of: key),
            let names = folder.namesAtHand(of: hash, place, access), names.count == 1,
            case .entry(let entry) = EntryFile.open(
                names[0], key: Array(key.utf8), in: place, access, most: Int64(CacheReader.mostBytes))
        else { return nil }
        (self.entry, self.folder, self.access) = (entry, folder, access)
    }

    /// The whole body, of a mebibyte at most.
    package func readBody() -> ByteBuffer? { CacheReader(entry, in: folder).readAtHand(access) }
}
