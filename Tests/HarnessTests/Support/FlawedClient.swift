import ClientMachines
import HTTPBasics
import MachineContract

/// A client with one mistake: its user never hears of an answer whose status is 404.
///
/// It stands for those of which a scenario knows nothing, since only a bend brings them to light.
final class FlawedClient: Machine {
    enum Flaw {
        /// Goes round in a circle instead, until it is told to stop.
        case circles
        /// Nor does the user hear of any end.
        case forgets
    }

    private static let nobody = TaskID(Int.max)

    private let flaw: Flaw
    private let machine: ClientMachine
    private var isSilent = false
    private var isOver = false

    init(_ flaw: Flaw, _ settings: ClientSettings) {
        self.flaw = flaw
        machine = ClientMachine(settings: settings)
    }

    var deadline: Instant? { machine.deadline }

    func handle(_ input: ClientInput, at moment: Moment, into outputs: inout [ClientOutput]) {
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
