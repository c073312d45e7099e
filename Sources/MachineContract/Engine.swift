/// Where a session sends what its user wants. Implemented by the shard of the socket world and by the simulator.
///
/// Callable from any thread; inputs of one thread keep their order.
package protocol Engine<Input>: AnyObject, Sendable {
    associatedtype Input: Equatable & Sendable

    func submit(_ input: Input)
}

/// Where a machine's calls to the user go. Called on the engine's own thread, in the machine's order.
package protocol CallSink<Output>: AnyObject, Sendable {
    associatedtype Output: Equatable & Sendable

    func take(_ output: Output)
}

/// Runs jobs later, one after another, in order: a delegate queue, or virtual moments in the simulator.
package protocol CallExecutor: AnyObject, Sendable {
    func run(_ job: @escaping @Sendable () -> Void)
}
