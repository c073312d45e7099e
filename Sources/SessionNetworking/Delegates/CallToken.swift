#if !canImport(Darwin)
import Foundation
import Locks

/// Tells an implemented delegate method from a protocol's default, which Swift on Linux cannot.
///
/// The dispatcher makes one token a call, for one method of one delegate object; the default implementation of that
/// method running in that object marks it. A default that runs elsewhere or later, because a delegate forwards to
/// another object or calls another method of its own, finds no open token of its own: it looks for the method's other
/// form (`DelegateQuestion+Forwarding`) and does the default thing.
final class CallToken: Sendable {
    @TaskLocal private static var current: CallToken?

    private enum State { case open, marked, closed }
    private let state = Lock(State.open)
    private let target: ObjectIdentifier
    private let method: DelegateMethod

    private init(_ delegate: any URLSessionDelegate, _ method: DelegateMethod) {
        target = ObjectIdentifier(delegate)
        self.method = method
    }

    /// Called by defaults. True when the dispatcher learned of it and will do what the default means.
    @discardableResult
    static func markUnimplemented(_ delegate: any URLSessionDelegate, _ method: DelegateMethod) -> Bool {
        guard let current, current.method == method, current.target == ObjectIdentifier(delegate) else { return false }
        return current.state.withLock { state in
            if state == .open { state = .marked }
            return state == .marked
        }
    }

    /// Calls a method of `delegate`; false when it turned out not to be implemented.
    static func isImplemented(
        _ method: DelegateMethod, by delegate: any URLSessionDelegate, _ call: () -> Void
    ) -> Bool {
        let token = CallToken(delegate, method)
        $current.withValue(token, operation: call)
        return token.close()
    }

    /// Calls an asynchronous method of `delegate`; nil when it turned out not to be implemented.
    static func result<T>(
        of method: DelegateMethod, by delegate: any URLSessionDelegate, _ call: @Sendable () async -> T
    ) async -> T? {
        let token = CallToken(delegate, method)
        let result = await $current.withValue(token) { await call() }
        return token.close() ? result : nil
    }

    private func close() -> Bool {
        state.withLock { state in
            guard state != .marked else { return false }
            state = .closed
            return true
        }
    }
}
#endif
