import Locks

/// Where any thread leaves inputs for the loop: one lock, one array, one wake-up.
///
/// Inputs of one thread keep their order. The array is swapped out whole, so the lock is held for moments only.
final class Inbox<Element: Sendable>: Sendable {
    private struct Waiting {
        var elements: [Element] = []
        /// The loop is on its way.
        var isCalled = false
    }

    private let waiting = Lock(Waiting())

    /// Leaves one element; true when the loop has to be called, now or a little later.
    func put(_ element: Element) -> Bool {
        waiting.withLock { waiting in
            waiting.elements.append(element)
            return !waiting.isCalled
        }
    }

    /// True when the caller is the one who has to wake the loop.
    func call() -> Bool {
        waiting.withLock { waiting in
            guard !waiting.isCalled, !waiting.elements.isEmpty else { return false }
            waiting.isCalled = true
            return true
        }
    }

    /// Takes everything that waits and leaves the (empty) storage of `spare` for what comes next.
    func takeAll(into spare: inout [Element]) {
        spare.removeAll(keepingCapacity: true)
        waiting.withLock { waiting in
            swap(&waiting.elements, &spare)
            waiting.isCalled = false
        }
    }
}
