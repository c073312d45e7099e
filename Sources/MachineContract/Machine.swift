import HTTPBasics

/// A pure state machine: one door in, a list of effects out, one next deadline. Nothing else is callable.
///
/// A machine holds no promise, closure, queue, clock, lock or random source; its inputs and outputs are plain
/// values. That is what lets one file run over sockets and in virtual time.
@usableFromInline
package protocol Machine<Input, Output>: AnyObject {
    associatedtype Input: MachineInput
    associatedtype Output: Equatable & Sendable

    /// Takes one input and appends what must happen now, in order.
    func handle(_ input: Input, at moment: Moment, into outputs: inout [Output])

    /// When `timePassed` must be handed in if nothing else happens before; nil while no timer runs.
    var deadline: Instant? { get }
}

/// What can happen to a machine.
@usableFromInline
package protocol MachineInput: Equatable, Sendable {
    /// "Your deadline has come."
    static var timePassed: Self { get }
}
