#if !canImport(Darwin)

/// A read of a cache's disk, which somebody waits for a quarter of a second: then it goes on without, and until the
/// read has come to its end the disk is slow (BEHAVIOUR 2.D7-slow).
final class PatientRead<Waiter: Sendable>: Sendable {
    private let waiter: OnlyOnce<Waiter>
    private let cache: URLCache

    init(
        of cache: URLCache, for waiter: Waiter, later: SessionWorld.Later,
        else goOn: @escaping @Sendable (Waiter) -> Void
    ) {
        let waiting = OnlyOnce(waiter)
        (self.waiter, self.cache) = (waiting, cache)
        cache.count(\.reads, 1)
        later(URLCache.patience) {
            guard let waiter = waiting.take() else { return }
            cache.count(\.slowReads, 1)
            goOn(waiter)
        }
    }

    var isAwaited: Bool { !waiter.isTaken }

    /// To be called once, when it has come to its end: who has waited, nil if nobody does any more.
    func end() -> Waiter? {
        let waiter = waiter.take()
        cache.count(\.reads, -1)
        if waiter == nil { cache.count(\.slowReads, -1) }
        return waiter
    }
}
#endif
