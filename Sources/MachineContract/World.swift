import HTTPBasics

/// Where a machine's effects happen: real sockets and files, or the simulator.
@usableFromInline
package protocol World: AnyObject {
    associatedtype Output

    /// Reads the clocks; called once per input.
    func moment() -> Moment

    /// Carries out one effect. What it causes comes back as a later input, never from inside this call's stack
    /// into the machine: the drain loop queues it.
    func perform(_ output: Output)

    /// The machine's next deadline after a turn; worlds may arm lazily, but never late.
    func deadlineMoved(to deadline: Instant?)
}
