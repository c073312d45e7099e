import Locks

/// Where any thread leaves inputs for the loop: one lock, one array, one wake-up.
///
/// Inputs of one thread keep their order. The array is swapped out whole, so the lock is held for moments only.
final class Inbox<Element: Sendable>: Sendable {
    private let waiting = Lock<[Element]>([])

    /// Leaves one element; true when the inbox was empty, so that the caller has to wake the loop.
    func put(_ element: Element) -> Bool {
        waiting.withLock { elements in
            elements.append(element)
            return elements.count == 1
        }
    }

    /// Takes everything that waits and leaves the (empty) storage of `spare` for what comes next.
    func takeAll(into spare: inout [Element]) {
        spare.removeAll(keepingCapacity: true)
        waiting.withLock { elements in swap(&elements, &spare) }
    }
}
