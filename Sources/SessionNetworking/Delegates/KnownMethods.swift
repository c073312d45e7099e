#if !canImport(Darwin)
import Foundation
import Locks
import Synchronization

/// What was learned about one delegate type: which methods it has and which it leaves out.
///
/// One for each type in the process, since types never change. A subclass that adds a method which its conforming
/// superclass lacks cannot be seen: Swift calls the protocol's default then (DIVERGENCES.md).
final class KnownMethods: Sendable {
    private static let types = Lock<[ObjectIdentifier: KnownMethods]>([:])

    private let present = Atomic<UInt32>(0)
    private let missing = Atomic<UInt32>(0)

    static func of(_ type: any URLSessionDelegate.Type) -> KnownMethods {
        types.withLock { types in
            let key = ObjectIdentifier(type)
            if let known = types[key] { return known }
            let known = KnownMethods()
            types[key] = known
            return known
        }
    }

    /// Those that were found missing so far.
    var missed: DelegateMethods { DelegateMethods(rawValue: missing.load(ordering: .relaxed)) }

    func isPresent(_ method: DelegateMethod) -> Bool {
        DelegateMethods(rawValue: present.load(ordering: .relaxed)).contains(DelegateMethods(method))
    }

    func learn(_ method: DelegateMethod, isPresent: Bool) {
        let bit = DelegateMethods(method).rawValue
        if isPresent { present.bitwiseOr(bit, ordering: .relaxed) } else { missing.bitwiseOr(bit, ordering: .relaxed) }
    }
}
#endif
