import ClientMachines
import HTTPBasics

/// Where checkers put what they find; bounded, because one broken rule tends to break often.
package struct Findings: Sendable {
    package static let limit = 100

    package private(set) var violations: [InvariantViolation] = []
    private var known: Set<InvariantViolation> = []
    var instant = Instant.zero
    var checker: StaticString = ""

    package init() {}

    /// Lets a checker look at what happened just now.
    mutating func ask<C: Checker>(_ checker: inout C, _ look: (inout C, inout Findings) -> Void) {
        self.checker = C.name
        look(&checker, &self)
    }

    package mutating func add(_ sentence: String, session: Int? = nil, task: TaskID? = nil) {
        guard violations.count < Findings.limit else { return }
        let violation = InvariantViolation(
            checker: "\(checker)", instant: instant, session: session, task: task, sentence: sentence)
        if known.insert(violation).inserted { violations.append(violation) }
    }

    mutating func add(_ sentence: String, _ key: TaskKey) { add(sentence, session: key.session, task: key.task) }
}

/// A broken invariant: what, when, which task, and what shows it.
package struct InvariantViolation: Hashable, Sendable, CustomStringConvertible {
    package var checker: String
    package var instant: Instant
    package var session: Int?
    package var task: TaskID?
    package var sentence: String
    /// Whether the same run may have it once and not again.
    package var isMeasured: Bool { checker == "\(ProcessMeter.name)" }

    package var description: String {
        var place = "at \(Double(instant.nanoseconds) / 1e9) s"
        if let session { place += ", session \(session)" }
        if let task { place += ", task \(task.value)" }
        return "\(checker), \(place): \(sentence)"
    }
}
