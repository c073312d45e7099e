#if !canImport(Darwin)
import CacheFiles
import ClientMachines
import Foundation
import HTTPBasics

/// Answers on disk whose files the system has in memory.
extension URLCache {
    /// The only one that there is for a key, if nobody has to wait for it. A use of it.
    ///
    /// - Parameter isUseful: Whether the body is worth reading.
    final func findOnDiskAtHand(
        _ key: CacheKey, at now: UnixTime, isUseful: (StoredResponse) -> Bool
    ) -> OfferedResponse? {
        let (disk, version) = state.withLock { state in
            // What is to be changed there is not right any more; nobody asks a disk that is slow.
            let isSettled = !state.unmade.concern(key) && state.slowReads == 0
            return (isSettled ? state.disk : nil, state.unmade.version(of: key))
        }
        guard let disk, let found = EntryAtHand(of: key.text, in: disk.folder),
            let head = KeptHead(found.entry.head), isUseful(head.record), let body = found.readBody()
        else { return nil }
        if disk.folder.noteUse(found, at: now) { tellDiskOfUse(of: key) }
        let file = KeptFile(key: key, entry: found.entry, head: head, folder: disk.folder, whole: body)
        return .onDisk(file, version: version)
    }

    /// Keeps an answer in memory that was at hand on disk, if it is not too large for that.
    final func remember(_ found: OfferedResponse) {
        guard case .onDisk(let file, let version) = found, let body = file.whole,
            body.readableBytes <= limits.inMemory
        else { return }
        remember(file.response(Data(body.readableBytesView)), file, version: version)
    }
}
#endif
