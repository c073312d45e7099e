import Foundation

/// What is played against a mutant: one file with scenarios in one world, or one suite of unit tests.
struct Exercise: Sendable {
    enum Kind: CaseIterable, Sendable {
        case delegateStyle, otherStyles, sockets, tests, expectations

        var isOfScenarios: Bool { ![.tests, .expectations].contains(self) }
        /// Real time and a busy machine may fail what is right: such a kill counts when it comes twice.
        var isInRealTime: Bool { [.sockets, .tests].contains(self) }
    }

    let kind: Kind
    /// A file below the copy, or a suite's name.
    let name: String
    /// What it needs without a mutant.
    var seconds = 0.0
    /// For each mutant's number, whether it gets there.
    var reached: [Bool] = []
    var weight = 0

    /// The command that plays them all, of one kind.
    static func words(_ exercises: [Exercise], of kind: Kind, in copy: MutatedCopy) -> [String] {
        let names = exercises.map(\.name)
        let run = [copy.command.path, "run", "--in-process", "--fail-fast"]
        let simulated = run + ["--world", "simulated"]
        switch kind {
        case .delegateStyle: return simulated + ["--style", "delegate"] + names
        case .otherStyles: return simulated + ["--style", "completion", "--style", "async"] + names
        case .sockets: return run + ["--world", "sockets"] + names
        case .expectations: return [copy.command.path, "mutate"] + names
        case .tests:
            let filter = names.map(NSRegularExpression.escapedPattern).joined(separator: "|")
            return [copy.tests.path, "--testing-library", "swift-testing", "--filter", "^(\(filter))/"]
        }
    }
}
