#if !canImport(Darwin)
import ClientMachines
import Foundation
import Locks

/// One load of a task, from the search for its loader to its end: passes on what the machine wants of it.
final class Loading: Sendable {
    private enum State {
        case choosing
        case loading(any Loader)
        case ended
    }

    private let state = Lock(State.choosing)
    private let inlet: EventInlet

    init(_ inlet: EventInlet) { self.inlet = inlet }

    /// `choose` gives the loader; nil leaves the request to HTTP.
    func begin(_ choose: () -> (any Loader)?) {
        guard !isEnded else { return }
        guard let loader = choose() else { return inlet.say(.declined) }
        let isWanted = state.withLock { state in
            if case .ended = state { return false }
            state = .loading(loader)
            return true
        }
        if isWanted { loader.begin() }
    }

    private var isEnded: Bool {
        if case .ended = state.withLock({ $0 }) { return true }
        return false
    }

    private var loader: (any Loader)? {
        if case .loading(let loader) = state.withLock({ $0 }) { return loader }
        return nil
    }

    func goOn() { loader?.goOn() }

    func challenge(_ id: LoadChallengeID) -> PendingChallenge? { loader?.challenge(id) }

    /// In one step, so that a loader which begins in this moment is ended as well.
    func end() {
        var former = State.ended
        state.withLock { swap(&$0, &former) }
        if case .loading(let loader) = former { loader.end() }
    }
}
#endif
