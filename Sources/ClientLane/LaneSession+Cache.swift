import CacheFiles
import Foundation
import ScenarioFormat
import SessionNetworking

/// The caches of a case's sessions.
extension LaneSession {
    static let keepsAnswers = true

    /// A cache; with `answersAfter` one that is asked what it has, and answers when `later` does a job.
    static func cache(
        _ options: CacheOptions, answering later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> URLCache {
        let cache = options.answersAfter == nil ? URLCache() : LateURLCache(later)
        if let capacity = options.memoryCapacity { cache.memoryCapacity = capacity }
        return cache
    }

    /// Before a session is made in that world: its cache has the directory of the case, with the faults of its disk.
    ///
    /// - Parameter waitsAtHand: Whether a look at the disk may take as long as it does: it has no time of the world's.
    static func openCache(of player: ClientLanePlayer, in world: SessionWorld, waitsAtHand: Bool = false) {
        guard let cache = player.cache, let folder = player.cacheFolder, cache.diskCapacity == 0,
            let capacity = player.scenarioCase.session.cache?.diskCapacity
        else { return }
        cache.keep(
            in: CacheFolder(
                path: folder.path, capacity: capacity, readsIndexBehind: false, waitsAtHand: waitsAtHand,
                faults: player.scenarioCase.diskFaults),
            writer: world.makeBodyExecutor(), later: world.later)
    }
}
