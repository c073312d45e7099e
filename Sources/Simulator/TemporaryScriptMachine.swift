import HTTPBasics
import MachineContract
import ServerScript

// Stands in until branch `server` brings ServerScript.ScriptMachine; then this file goes.
final class ScriptMachine: Machine {
    static let timePassed = ScriptInput.timePassed
    let deadline: Instant? = nil

    init(script: Script, origins: [String: String]) {}

    func handle(_ input: ScriptInput, at moment: Moment, into outputs: inout [ScriptOutput]) {}
}
