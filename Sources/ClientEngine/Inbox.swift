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

    /// Takes everything that waits, and leaves the (empty) storage of `spare` for what comes next. False when nothing
    /// waits.
    ///
    /// - Parameter isCalled: This is what the loop was called for; otherwise it is still on its way.
    func takeAll(into spare: inout [Element], isCalled: Bool) -> Bool {
        spare.removeAll(keepingCapacity: true)
        return waiting.withLock { waiting in
            if isCalled { waiting.isCalled = false }
            guard !waiting.elements.isEmpty else { return false }
            swap(&waiting.elements, &spare)
            return true
        }
    }
}
