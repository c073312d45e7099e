#if !canImport(Darwin)
import ClientMachines
import Locks

/// The answer to a question whose delegate method may give it before it returns.
final class PromptAnswer: Sendable {
    private enum State { case awaited, given(UserAnswer), late(@Sendable (UserAnswer) -> Void) }
    private let state = Lock(State.awaited)

    func give(_ answer: UserAnswer) {
        let take: (@Sendable (UserAnswer) -> Void)? = state.withLock { state in
            switch state {
            case .awaited:
                state = .given(answer)
                return nil
            // A second answer counts for nothing.
            case .given: return nil
            case .late(let take): return take
            }
        }
        take?(answer)
    }

    /// The answer, if it has come by now.
    var given: UserAnswer? {
        if case .given(let answer) = state.withLock({ $0 }) { return answer }
        return nil
    }

    /// The same; one that comes later goes the long way.
    func close(_ take: @escaping @Sendable (UserAnswer) -> Void) -> UserAnswer? {
        state.withLock { state in
            defer { state = .late(take) }
            if case .given(let answer) = state { return answer }
            return nil
        }
    }
}
#endif
