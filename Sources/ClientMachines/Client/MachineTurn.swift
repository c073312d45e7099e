import HTTPBasics
import MachineContract

/// What a machine does with one input: when that is, and what follows from it.
struct MachineTurn<Output> {
    let moment: Moment
    var outputs: [Output] = []

    /// Takes the outputs over for as long as the turn lasts: two owners of one array would copy it.
    init(at moment: Moment, taking outputs: inout [Output]) {
        self.moment = moment
        swap(&self.outputs, &outputs)
    }

    mutating func give(to outputs: inout [Output]) { swap(&self.outputs, &outputs) }

    var now: Instant { moment.instant }
}
