import Judge
import ServerScript

/// Judges a run whose answers were bent, by what holds with any peer: how the tasks end is open.
///
/// The simulator's checkers have looked on meanwhile, at the bytes as they were really sent.
enum HostileJudge {
    static func findings(_ observation: CaseObservation) -> [Finding] { breaches(observation) + leftovers(observation) }

    /// What a scenario with bends of its own expects counts as well, but not that its script is played to the end.
    static func findings(_ observation: CaseObservation, expecting judge: CaseJudge) -> [Finding] {
        judge.findings().filter(\.kind.isOfExpectation) + breaches(observation)
    }

    /// A bend that is named on the command line and changes nothing proves nothing.
    static func idle(_ bends: [Bend], in observation: CaseObservation, _ kind: Finding.Kind) -> [Finding] {
        bends.filter(observation.idleBends.contains).map {
            Finding(kind, "the bend \($0) changes nothing of what the server sends")
        }
    }

    private static func breaches(_ observation: CaseObservation) -> [Finding] {
        Invariants.breaches(in: observation) + observation.excesses.map { Finding(.limit, $0) }
    }

    private static func leftovers(_ observation: CaseObservation) -> [Finding] {
        guard !observation.hasKeptResumeData, !observation.temporaryFiles.isEmpty else { return [] }
        let count = observation.temporaryFiles.count.counting("temporary file")
        return [Finding(.disk, "\(count) left behind", details: observation.temporaryFiles)]
    }
}
