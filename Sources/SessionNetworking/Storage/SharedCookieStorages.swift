#if !canImport(Darwin)
import Foundation
import Locks

/// The storages of a process that have files: one object for each.
enum SharedCookieStorages {
    private static let known = Lock<[String?: HTTPCookieStorage]>([:])
    /// What waits to be written is written when the program ends by itself.
    private static let atEnd: Void = { _ = atexit { SharedCookieStorages.saveAll() } }()

    static func storage(ofGroup group: String?) -> HTTPCookieStorage {
        if let storage = known.withLock({ $0[group] }) { return storage }
        _ = atEnd
        // It reads its file: outside of the lock, and one of two that meet here is dropped.
        let made = HTTPCookieStorage(file: CookieFile.standard(group: group))
        return known.withLock { known in
            if let storage = known[group] { return storage }
            known[group] = made
            return made
        }
    }

    private static func saveAll() {
        for storage in known.withLock({ Array($0.values) }) { storage.saveNow() }
    }
}
#endif
