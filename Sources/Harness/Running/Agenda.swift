import Judge
import Locks

/// What is still to be played, each request made when it is asked for: an exploration has very many.
package final class Agenda: Sendable {
    package let count: Int
    private let request: @Sendable (Int) -> CaseRequest?
    private let position = Lock(0)

    /// `request` is given numbers below `count`, ascending, and returns nil for what need not be played any more.
    init(count: Int, request: @escaping @Sendable (Int) -> CaseRequest?) {
        self.count = count
        self.request = request
    }

    package convenience init(_ requests: [CaseRequest]) { self.init(count: requests.count) { requests[$0] } }

    /// Callable from any thread; nil at the end.
    func next() -> CaseRequest? {
        position.withLock { position in
            while position < count {
                position += 1
                if let request = request(position - 1) { return request }
            }
            return nil
        }
    }
}
