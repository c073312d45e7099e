import HTTPBasics
import MachineContract

/// Some machine: tests run one that breaks its rules. As a type of its own, so that the loop is compiled for it.
final class AnyMachine<Input: MachineInput, Output: Equatable & Sendable>: Machine {
    private let machine: any Machine<Input, Output>

    init(_ machine: any Machine<Input, Output>) { self.machine = machine }

    var deadline: Instant? { machine.deadline }

    func handle(_ input: Input, at moment: Moment, into outputs: inout [Output]) {
        machine.handle(input, at: moment, into: &outputs)
    }
}
