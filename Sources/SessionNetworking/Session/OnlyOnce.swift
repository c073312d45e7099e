#if !canImport(Darwin)
import Locks

/// Something that the first of several is to have: whoever comes later finds nothing, and keeps nothing of it alive.
final class OnlyOnce<Value: Sendable>: Sendable {
    private let value: Lock<Value?>

    init(_ value: Value) { self.value = Lock(value) }

    /// Whether somebody has it.
    var isTaken: Bool { value.withLock { $0 == nil } }

    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
#endif
