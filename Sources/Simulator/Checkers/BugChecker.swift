/// No machine reports that its contract was broken.
package final class BugChecker: Checker {
    package static let name = "bug"

    package init() {}

    package func observe(_ observation: Observation, _ findings: inout Findings) {
        guard case .clientOutput(let session, .bug(let sentence)) = observation else { return }
        findings.add("the machine reports a bug: \(sentence)", session: session)
    }
}
