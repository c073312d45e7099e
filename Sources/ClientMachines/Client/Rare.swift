/// A large value that is seldom there, kept out of line: what holds it stays small, cheap to copy and to make.
@propertyWrapper
package enum Rare<Value> {
    case absent
    indirect case present(Value)

    package init(wrappedValue: Value?) {
        self = wrappedValue.map { .present($0) } ?? .absent
    }

    /// To be asked whether it is there, without a copy of it.
    package var projectedValue: Self { self }

    var isPresent: Bool { if case .present = self { true } else { false } }

    package var wrappedValue: Value? {
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
