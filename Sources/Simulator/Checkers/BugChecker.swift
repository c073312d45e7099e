import ClientMachines

/// No machine reports that its contract was broken.
package struct BugChecker: Checker {
    package static let name: StaticString = "bug"

    package init() {}

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        guard case .bug(let sentence) = output else { return }
        findings.add("the machine reports a bug: \(sentence)", session: session)
    }
}
