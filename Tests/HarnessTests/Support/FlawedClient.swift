import ClientMachines
import HTTPBasics
import MachineContract

/// A client with one mistake. With most of them its user never hears of an answer whose status is 404.
///
/// It stands for those of which a scenario knows nothing, since only a bend brings them to light.
final class FlawedClient: Machine {
    enum Flaw {
        /// Goes round in a circle instead, until it is told to stop.
        case circles
        /// Nor does the user hear of any end.
        case forgets
        /// Everybody hears everything, but a timer is set anew each second, for ever.
        case ticks
    }

    private static let nobody = TaskID(Int.max)

    private let flaw: Flaw
    private let machine: ClientMachine
    private var isSilent = false
    private var isOver = false
    private var now = Instant.zero

    init(_ flaw: Flaw, _ settings: ClientSettings) {
        self.flaw = flaw
        machine = ClientMachine(settings: settings)
    }

    var deadline: Instant? {
        guard flaw == .ticks else { return machine.deadline }
        return min(machine.deadline ?? now + .seconds(1), now + .seconds(1))
    }

    func handle(_ input: ClientInput, at moment: Moment, into outputs: inout [ClientOutput]) {
        now = moment.instant
        if flaw == .ticks { return machine.handle(input, at: moment, into: &outputs) }
        if input == .goOn(FlawedClient.nobody) { return circle(&outputs) }
        if case .invalidate = input { isOver = true }
        var sound: [ClientOutput] = []
        machine.handle(input, at: moment, into: &sound)
        for output in sound {
            if FlawedClient.isNotFound(output) {
                isSilent = true
                if flaw == .circles { circle(&outputs) }
            }
            let isHeard = !isSilent || flaw == .circles && isOver
            if isHeard || !FlawedClient.isForUser(output) { outputs.append(output) }
        }
    }

    private func circle(_ outputs: inout [ClientOutput]) {
        if !isOver { outputs.append(.yield(FlawedClient.nobody)) }
    }

    private static func isNotFound(_ output: ClientOutput) -> Bool {
        switch output {
        case .tell(_, .response(let response)), .ask(_, _, .response(let response, _)):
            return response.head.status == 404
        default: return false
        }
    }

    private static func isForUser(_ output: ClientOutput) -> Bool {
        switch output {
        case .tell, .ask: return true
        default: return false
        }
    }
}
