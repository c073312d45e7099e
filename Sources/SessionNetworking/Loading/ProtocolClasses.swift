#if !canImport(Darwin)
import Foundation
import Locks

/// The registered protocol classes: those that `URLSession.shared` asks, in this order (BEHAVIOUR 2.H17).
enum ProtocolClasses {
    private static let registered = Lock<[URLProtocol.Type]>([])

    static func register(_ candidate: AnyClass) -> Bool {
        guard let type = candidate as? URLProtocol.Type else { return false }
        registered.withLock { $0.insert(type, at: 0) }
        return true
    }

    static func unregister(_ candidate: AnyClass) {
        registered.withLock { types in
            if let index = types.firstIndex(where: { $0 == candidate }) { types.remove(at: index) }
        }
    }

    static var all: [URLProtocol.Type] { registered.withLock { $0 } }
}
#endif
