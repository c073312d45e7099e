#if !canImport(Darwin)
import Foundation
import Locks
import MachineContract

/// A challenge that a protocol object has raised, until its first answer.
final class PendingChallenge: Sendable {
    private struct State {
        var isSettled = false
        var onWithdrawal: (@Sendable () -> Void)?
    }

    let challenge: URLAuthenticationChallenge
    private let executor: any CallExecutor
    private let state = Lock(State())

    init(_ challenge: URLAuthenticationChallenge, executor: any CallExecutor) {
        self.challenge = challenge
        self.executor = executor
    }

    /// True for the first who asks.
    func settle() -> Bool {
        state.withLock { state in
            defer {
                state.isSettled = true
                state.onWithdrawal = nil
            }
            return !state.isSettled
        }
    }

    /// `withdrawn` is called instead of any answer, at once if the object has thought better of it already.
    func await(withdrawn: @escaping @Sendable () -> Void) {
        let isSettled = state.withLock { state in
            if !state.isSettled { state.onWithdrawal = withdrawn }
            return state.isSettled
        }
        if isSettled { withdrawn() }
    }

    var isOpen: Bool { state.withLock { !$0.isSettled } }

    func withdraw() {
        let withdrawn = state.withLock { $0.onWithdrawal }
        if settle() { withdrawn?() }
    }

    /// Tells the object, on its own queue; false when it no longer waits.
    func answer(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) -> Bool {
        guard settle() else { return false }
        executor.run { [challenge] in
            guard let sender = challenge.sender else { return }
            switch (disposition, credential) {
            case (.useCredential, let credential?): sender.use(credential, for: challenge)
            case (.useCredential, nil): sender.continueWithoutCredential(for: challenge)
            case (.performDefaultHandling, _): sender.performDefaultHandling(for: challenge)
            case (.cancelAuthenticationChallenge, _): sender.cancel(challenge)
            case (.rejectProtectionSpace, _): sender.rejectProtectionSpaceAndContinue(with: challenge)
            }
        }
        return true
    }
}
#endif
