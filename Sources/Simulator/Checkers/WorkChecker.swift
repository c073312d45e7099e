import ClientMachines
import HTTPBasics

/// No turn does more than those who share the loop can wait for, however much a few bytes of a peer's mean.
package struct WorkChecker: Checker {
    package static let name: StaticString = "work"

    /// Well above what a task may hand out in one turn (`TurnBudget`): one input may concern several.
    static let mostBytes = 4 << 20
    static let mostOutputs = 32_768

    private var bytes = 0
    private var outputs = 0

    package init() {}

    package mutating func turnEnded(_ session: Int, deadline: Instant?, _ findings: inout Findings) {
        (bytes, outputs) = (0, 0)
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        outputs += 1
        if outputs == WorkChecker.mostOutputs + 1 {
            findings.add("one turn has more than \(WorkChecker.mostOutputs) outputs", session: session)
        }
        switch output {
        case .tell(_, .data(let piece)), .file(_, .write(let piece)):
            let before = bytes
            bytes += piece.readableBytes
            guard bytes > WorkChecker.mostBytes, before <= WorkChecker.mostBytes else { return }
            findings.add("one turn hands out more than \(WorkChecker.mostBytes) bytes", session: session)
        default: return
        }
    }
}
