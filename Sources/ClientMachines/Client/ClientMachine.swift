import HTTPBasics
import MachineContract

/// One session's behaviour: routes inputs to tasks, connections and the pool. Under construction.
package final class ClientMachine: Machine {
    package static let timePassed = ClientInput.timePassed
    package private(set) var deadline: Instant?

    package init(settings: ClientSettings) {}

    package func handle(_ input: ClientInput, at moment: Moment, into outputs: inout [ClientOutput]) {}
}
