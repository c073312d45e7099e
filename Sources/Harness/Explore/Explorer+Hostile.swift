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
            let observation = try play(bends, at: position, in: directory)
            outcome.positions += 1
            outcome.virtualTime += observation.duration
            if case .bends = exploration { outcome.findings += HostileJudge.idle(bends, in: observation, .setup) }
            let findings = HostileJudge.findings(observation)
            guard try counts(findings, of: bends, at: position, in: directory) else { continue }
            try note(findings, of: bends, at: position, in: directory, &outcome)
            found(outcome)
            failures += 1
            if failures >= Explorer.mostFailures { break }
        }
        return outcome
    }

    private func play(
        _ bends: [Bend], at position: Int, in directory: TemporaryDirectory, keepsTrace: Bool = false
    ) throws -> CaseObservation {
        playing(position, .bends(bends))
        return try play(bends.map(FaultRule.bend), in: directory, keepsTrace: keepsTrace).observation
    }

    /// Whether there is something, and not by chance: what is measured may come of a busy machine, or of what a process
    /// makes once. It counts when two plays of three have something.
    private func counts(
        _ findings: [Finding], of bends: [Bend], at position: Int, in directory: TemporaryDirectory
    ) throws -> Bool {
        guard findings.allSatisfy({ $0.kind == .limit }) else { return true }
        guard !findings.isEmpty else { return false }
        for _ in 0..<2 {
            let observation = try play(bends, at: position, in: directory)
            if !HostileJudge.findings(observation).isEmpty { return true }
        }
        return false
    }

    /// What the last play does not show was seen all the same: it is kept, and says so. A scenario of it would pass, so
    /// none is left.
    private func note(
        _ findings: [Finding], of bends: [Bend], at position: Int, in directory: TemporaryDirectory,
        _ outcome: inout Outcome
    ) throws {
        let failing = findings.first.map(Failing.init)
        let shortest = try BendShrinker.shortest(bends) { fewer in
            guard ContinuousClock.now < shrinkingEnd else { return false }
            let observation = try play(fewer, at: position, in: directory)
            return HostileJudge.findings(observation).first.map(Failing.init) == failing
        }
        let again = try play(shortest, at: position, in: directory, keepsTrace: true)
        let repeated = HostileJudge.findings(again)
        let isRepeated = repeated.contains { Failing($0) == failing }
        if !isRepeated {
            let remark = "\(Exploration.bends(shortest)), played once more, does not show it"
            outcome.findings += findings.map { $0.of(bends, remark) }
        }
        outcome.findings += repeated.map { $0.of(shortest) }
        guard outcome.failed == nil || isRepeated && outcome.bends == nil else { return }
        outcome.failed = .bends(isRepeated ? shortest : bends)
        outcome.bends = isRepeated ? shortest : nil
        (outcome.trace, outcome.journal) = (again.wireTrace, again.machineJournal)
    }
}

extension Finding {
    fileprivate func of(_ bends: [Bend], _ remark: String? = nil) -> Finding {
        var finding = self
        finding.summary = "\(Exploration.bends(bends)): \(summary)"
        if let remark { finding.details.append(remark) }
        return finding
    }
}
