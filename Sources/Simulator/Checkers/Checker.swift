import ClientMachines
import HTTPBasics

/// One invariant that holds in every scenario without being written (decision 10 of the scenario format).
package protocol Checker: AnyObject {
    static var name: String { get }

    /// Sees everything that happens, as it happens.
    func observe(_ observation: Observation, _ findings: inout Findings)

    /// Nothing is left to do: now everything must be over and put away.
    func judgeRest(_ findings: inout Findings)
}

extension Checker {
    package func judgeRest(_ findings: inout Findings) {}
}

/// Where checkers put what they find; bounded, because one broken rule tends to break often.
package struct Findings: Sendable {
    package static let limit = 100

    package private(set) var violations: [InvariantViolation] = []
    private var known: Set<InvariantViolation> = []
    var instant = Instant.zero
    var checker = ""

    package init() {}

    package mutating func add(_ sentence: String, session: Int? = nil, task: TaskID? = nil) {
        guard violations.count < Findings.limit else { return }
        let violation = InvariantViolation(
            checker: checker, instant: instant, session: session, task: task, sentence: sentence)
        if known.insert(violation).inserted { violations.append(violation) }
    }

    mutating func add(_ sentence: String, _ key: TaskKey) { add(sentence, session: key.session, task: key.task) }
}
