import ClientLane
import Judge
import ServerScript
import Simulator

extension Explorer {
    /// Plays the case with its answers bent, and shrinks what fails to the fewest bends.
    func runHostile(_ exploration: Exploration) throws -> Outcome {
        let directory = try TemporaryDirectory()
        let (baseline, wire) = try play([], in: directory, keepsTrace: true)
        var outcome = Outcome()
        outcome.virtualTime = baseline.duration
        outcome.findings = judge(baseline)
        guard outcome.findings.isEmpty else {
            outcome.trace = baseline.wireTrace
            return outcome
        }
        var failures = failed
        let plan = BendPlan(wire.flatMap(\.answers), seed: seed)
        for (position, bends) in Array(plan.bends(of: exploration)).enumerated().dropFirst(skipped) {
            playing(position, .bends(bends))
            let observation = try play(bends.map(FaultRule.bend), in: directory, keepsTrace: false).observation
            outcome.positions += 1
            outcome.virtualTime += observation.duration
            if case .bends = exploration { outcome.findings += HostileJudge.idle(bends, in: observation, .setup) }
            guard let first = HostileJudge.findings(observation).first else { continue }
            try note(bends, at: position, failing: Failing(first), in: directory, &outcome)
            found(outcome)
            failures += 1
            if failures >= Explorer.mostFailures { break }
        }
        return outcome
    }

    private func note(
        _ bends: [Bend], at position: Int, failing: Failing, in directory: TemporaryDirectory, _ outcome: inout Outcome
    ) throws {
        let shortest = try BendShrinker.shortest(bends) { fewer in
            guard ContinuousClock.now < shrinkingEnd else { return false }
            playing(position, .bends(fewer))
            let observation = try play(fewer.map(FaultRule.bend), in: directory, keepsTrace: false).observation
            return HostileJudge.findings(observation).first.map(Failing.init) == failing
        }
        let again = try play(shortest.map(FaultRule.bend), in: directory, keepsTrace: true).observation
        outcome.findings += HostileJudge.findings(again).map { finding in
            var finding = finding
            finding.summary = "\(Exploration.bends(shortest)): \(finding.summary)"
            return finding
        }
        guard outcome.failed == nil else { return }
        outcome.failed = .bends(shortest)
        outcome.bends = shortest
        (outcome.trace, outcome.journal) = (again.wireTrace, again.machineJournal)
    }
}
