#if !canImport(Darwin)
import ClientMachines

/// Where a load's events enter the engine.
struct EventInlet: Sendable {
    /// Leaves an event; true when the caller owes a `wake`. It calls no other code, so it may be used under a lock.
    let enqueue: @Sendable (LoadEvent) -> Bool
    let wake: @Sendable () -> Void

    func say(_ event: LoadEvent) { if enqueue(event) { wake() } }

    /// All of them at once.
    func say(_ events: [LoadEvent]) {
        var owesWake = false
        for event in events { owesWake = enqueue(event) || owesWake }
        if owesWake { wake() }
    }
}
#endif
