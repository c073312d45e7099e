import Synchronization

/// Counts requests that are still to be started, and those that are done.
final class Tally: Sendable {
    private struct Counts {
        var toStart: Int
        var toFinish: Int
        var failed = 0
        var waiting: CheckedContinuation<Int, Never>?
    }

    let exchange: Exchange
    private let counts: Mutex<Counts>

    init(_ exchange: Exchange, _ times: Int) {
        self.exchange = exchange
        counts = Mutex(Counts(toStart: times, toFinish: times))
    }

    /// Whether another request shall be started.
    func next() -> Bool {
        counts.withLock { counts in
            guard counts.toStart > 0 else { return false }
            counts.toStart -= 1
            return true
        }
    }

    func done(_ isRight: Bool) {
        let (waiting, failed) = counts.withLock { counts in
            counts.toFinish -= 1
            if !isRight { counts.failed += 1 }
            return (counts.toFinish == 0 ? counts.waiting : nil, counts.failed)
        }
        waiting?.resume(returning: failed)
    }

    /// Starts, and waits until every request has finished.
    func run(_ start: () -> Void) async -> Int {
        guard counts.withLock({ $0.toFinish > 0 }) else { return 0 }
        return await withCheckedContinuation { continuation in
            counts.withLock { $0.waiting = continuation }
            start()
        }
    }
}
