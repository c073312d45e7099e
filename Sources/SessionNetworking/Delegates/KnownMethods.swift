#if !canImport(Darwin)
import Foundation
import Locks
import Synchronization

/// What was learned about one delegate type: which methods it has and which it leaves out.
///
/// A subclass that adds a method which its conforming superclass lacks cannot be seen: Swift calls the protocol's
/// default then (DIVERGENCES.md).
final class KnownMethods: Sendable {
    private let present = Atomic<UInt64>(0)
    private let missing: Atomic<UInt64>

    init(lacking missing: DelegateMethods) { self.missing = Atomic(missing.rawValue) }

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

/// What was learned about delegate types, by type.
///
/// Types never change, so all sessions over sockets share what they learn. A simulated run learns for itself: what its
/// process did before must not decide what is asked and told.
package final class KnownTypes: Sendable {
    /// For the whole process.
    package static let shared = KnownTypes()

    private let types = Lock<[ObjectIdentifier: KnownMethods]>([:])
    private let missing: DelegateMethods

    /// - Parameter missing: What no type of this world has, known from the beginning.
    package init(lacking missing: DelegateMethods = []) { self.missing = missing }

    func methods(of type: any URLSessionDelegate.Type) -> KnownMethods {
        types.withLock { types in
            let key = ObjectIdentifier(type)
            if let known = types[key] { return known }
            let known = KnownMethods(lacking: missing)
            types[key] = known
            return known
        }
    }
}
#endif
