#if !canImport(Darwin)
import ClientMachines
import Locks
import MachineContract

/// A session's engine for as long as the session lasts; what is said afterwards reaches nobody.
///
/// What must not keep a session alive holds this: storages, and answers that users may give late or never. Weak
/// references would do as well, but who has ever had one is counted in a slower way from then on, and a request retains
/// its session and the dispatcher many times.
final class EngineLink: Engine {
    private let engine = Lock<(any Engine<ClientInput>)?>(nil)

    var isOpen: Bool { engine.withLock { $0 != nil } }

    func open(_ engine: any Engine<ClientInput>) { self.engine.withLock { $0 = engine } }

    /// Returns the engine, for the caller to let go of outside of all locks.
    func close() -> (any Engine<ClientInput>)? {
        engine.withLock { engine in
            defer { engine = nil }
            return engine
        }
    }

    func enqueue(_ input: ClientInput) -> Bool { engine.withLock { $0 }?.enqueue(input) ?? false }

    func wake() { engine.withLock { $0 }?.wake() }
}
#endif
