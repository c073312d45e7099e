import ServerScript
import Locks

/// The server's events and signals on their way to the lane.
final class ServerRelay: Sendable {
    private struct State: Sendable {
        var events: [ServerEvent] = []
        var isExhausted = false
        var signal: (@Sendable (String) -> Void)?
        var early: [String] = []
    }

    private let state = Lock(State())

    var events: [ServerEvent] { state.withLock { $0.events } }
    var isExhausted: Bool { state.withLock { $0.isExhausted } }

    func take(_ event: ServerEvent) {
        state.withLock { state in
            state.events.append(event)
            if event.kind == .exhausted { state.isExhausted = true }
        }
    }

    func attach(_ signal: @escaping @Sendable (String) -> Void) {
        let early = state.withLock { state in
            state.signal = signal
            defer { state.early = [] }
            return state.early
        }
        for name in early { signal(name) }
    }

    func raise(_ name: String) {
        let signal = state.withLock { state in
            if state.signal == nil { state.early.append(name) }
            return state.signal
        }
        signal?(name)
    }
}
