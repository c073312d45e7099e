/// A value that is seldom there, kept out of line: what holds it, or what there are many of, stays small, cheap to copy
/// and to make.
///
/// Inlinable, so that each owner gets one that is made for its value.
@propertyWrapper
@frozen
@usableFromInline
package enum Rare<Value> {
    case absent
    indirect case present(Value)

    @inlinable
    package init(wrappedValue: Value?) {
        self = wrappedValue.map { .present($0) } ?? .absent
    }

    /// To be asked whether it is there, without a copy of it.
    @inlinable package var projectedValue: Self { self }

    @inlinable package var isPresent: Bool { if case .present = self { true } else { false } }

    @inlinable package var wrappedValue: Value? {
        get {
            guard case .present(let value) = self else { return nil }
            return value
        }
        set { self = Rare(wrappedValue: newValue) }
    }
}

extension Rare: Equatable where Value: Equatable {}
extension Rare: Hashable where Value: Hashable {}
extension Rare: Sendable where Value: Sendable {}
