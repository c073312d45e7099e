/// A large value that is seldom there, kept out of line: what holds it stays small, cheap to copy and to make.
@propertyWrapper
enum Rare<Value> {
    case absent
    indirect case present(Value)

    init(wrappedValue: Value?) {
        self = wrappedValue.map { .present($0) } ?? .absent
    }

    var wrappedValue: Value? {
        get {
            guard case .present(let value) = self else { return nil }
            return value
        }
        set { self = Rare(wrappedValue: newValue) }
    }
}
