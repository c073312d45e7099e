#if !canImport(Darwin)
import Foundation
import Locks

/// The caches of a process that have something to write: it is written when the program ends by itself.
enum UnwrittenCaches {
    private static let known = Lock<[ObjectIdentifier: URLCache]>([:])
    private static let atEnd: Void = { _ = atexit { UnwrittenCaches.finish() } }()
    /// For all of them: a disk that does not answer is not waited for.
    private static let patience = 1.0

    static func add(_ cache: URLCache) {
        _ = atEnd
        known.withLock { $0[ObjectIdentifier(cache)] = cache }
    }

    static func remove(_ cache: URLCache) {
        // Outside of the lock: this may have been the last reference.
        _ = known.withLock { $0.removeValue(forKey: ObjectIdentifier(cache)) }
    }

    private static func finish() {
        let end = Date(timeIntervalSinceNow: patience)
        for cache in known.withLock({ Array($0.values) }) { cache.waitUntilWritten(before: end) }
    }
}
#endif
