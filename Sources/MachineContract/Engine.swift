/// Where a session sends what its user wants. Implemented by the shard of the socket world and by the simulator.
///
/// Callable from any thread; inputs of one thread keep their order.
package protocol Engine<Input>: AnyObject, Sendable {
    associatedtype Input: Equatable & Sendable

    /// Leaves an input for the engine; true when the caller owes it a `wake`, which may wait for the end of what the
    /// caller is doing. It calls no other code, so it may be used under a lock; `wake` may not.
    func enqueue(_ input: Input) -> Bool

    /// Lets the engine take what was left. Without effect when there is nothing, or when it is on its way.
    func wake()
}

extension Engine {
    package func submit(_ input: Input) { if enqueue(input) { wake() } }
}

/// Where a machine's calls to the user go. Called on the engine's own thread, in the machine's order.
package protocol CallSink<Output>: AnyObject, Sendable {
    associatedtype Output: Equatable & Sendable

    func take(_ output: Output)

    /// Whether something that was taken waits for `flush`.
    var isFlushDue: Bool { get }

    /// No more comes for the moment: what was taken may go out. Called on the engine's thread.
    func flush()
}

/// Runs jobs later, one after another, in order: a delegate queue, or virtual moments in the simulator.
package protocol CallExecutor: AnyObject, Sendable {
    func run(_ job: @escaping @Sendable () -> Void)
}
