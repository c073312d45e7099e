import ClientLane
import HTTPBasics
import Judge
import ScenarioFormat
import ServerScript
import Simulator

/// Plays one case again and again, each time with the wire split or cut at another position.
package struct Explorer {
    package struct Outcome: Sendable {
        package var findings: [Finding] = []
        /// How many positions were tried.
        package var positions = 0
        package var virtualTime: Duration = .zero
        /// The first position that failed, or the first seed.
        package var failed: Exploration?
        package var failedSeed: UInt64?
        /// What is left of that seed's schedule when it has been made as short as it gets.
        package var schedule: [ScheduleRecord.Entry]?
        /// The fewest bends that fail as the first that failed.
        package var bends: [Bend]?
        /// What went over the wire there.
        package var trace: [String] = []
        /// What the machines did there, or else in the run without a fault; if it was asked for.
        package var journal: String?
    }

    /// Where one position fails its neighbours tend to fail as well.
    static let mostFailures = 3
    /// Wall time for one exploration of one case. Shrinking ends well before: what it has by then is kept.
    static let deadline = Duration.seconds(900)
    private static let shrinkingTime = deadline * 2 / 3

    let scenarioCase: ScenarioCase
    private let style: Style
    private var schedule: Schedule
    /// A bomb takes longer to make than a run to play.
    private let contents = ContentStore()
    let seed: UInt64
    let shrinkingEnd = ContinuousClock.now + Explorer.shrinkingTime
    package var keepsJournal = false
    /// Changes what every simulation is given.
    var adjust: (inout SimulationOptions) -> Void = { _ in }
    /// How many of the bent runs another process has played.
    var skipped = 0
    /// Told which bent run comes next, so that it is known which one ended the process.
    var playing: (Int, Exploration) -> Void = { _, _ in }
    /// How many of those have failed.
    var failed = 0
    /// Told what bent runs have come to when one more has failed.
    var found: (Outcome) -> Void = { _ in }

    package init(_ scenarioCase: ScenarioCase, style: Style, seed: UInt64) {
        self.scenarioCase = scenarioCase
        self.style = style
        self.seed = seed
        schedule = seed == 0 ? .plain : .seeded(seed)
    }

    package func run(_ exploration: Exploration) throws -> Outcome {
        if case .seeds(let seeds) = exploration { return try run(seeds) }
        if exploration.isHostile { return try runHostile(exploration) }
        let directory = try TemporaryDirectory()
        let (baseline, wire) = try play([], in: directory, keepsTrace: true)
        var outcome = Outcome()
        outcome.virtualTime = baseline.duration
        outcome.journal = baseline.machineJournal
        outcome.findings = judge(baseline)
        guard outcome.findings.isEmpty else {
            // Without a sound run there is nothing to compare with.
            outcome.trace = baseline.wireTrace
            return outcome
        }
        if let finding = objection(to: exploration, baseline, wire) {
            outcome.findings = [finding]
            return outcome
        }
        var failures = 0
        for position in positions(of: exploration, baseline, wire) {
            let observation = try play(position, in: directory, keepsTrace: false)
            outcome.positions += 1
            outcome.virtualTime += observation.duration
            let findings = judge(observation, at: position, baseline, wire)
            if findings.isEmpty { continue }
            outcome.findings += findings
            if outcome.failed == nil {
                outcome.failed = position
                let again = try play(position, in: directory, keepsTrace: true)
                outcome.trace = again.wireTrace
                outcome.journal = again.machineJournal
            }
            failures += 1
            if failures >= Explorer.mostFailures { break }
        }
        return outcome
    }

    /// A position that is never reached proves nothing.
    private func objection(
        to exploration: Exploration, _ baseline: CaseObservation, _ wire: [WireRecord]
    ) -> Finding? {
        let (connection, offset): (Int, Int)
        switch exploration {
        case .cut(let rule): (connection, offset) = (rule.connection, rule.offset)
        case .split(let rule): (connection, offset) = (rule.connection, rule.offset)
        case .cancel(let rule): return objection(to: rule, baseline)
        case .everyCut, .everySplit, .everyCancel, .hostile, .seeds, .hostileSeeds, .bends: return nil
        }
        guard let record = wire.first(where: { $0.connection == connection }) else {
            return Finding(.setup, "\(exploration) is never reached: the last connection is \(wire.count - 1)")
        }
        guard offset > record.carried.fromServer else { return nil }
        let count = record.carried.fromServer
        return Finding(.setup, "\(exploration) is never reached: the server sends \(count.counting("byte")) there")
    }

    private func objection(to rule: CancelRule, _ baseline: CaseObservation) -> Finding? {
        let labels = baseline.journal.tasks.map(\.label)
        guard labels.contains(rule.label) else {
            return Finding(
                .setup, "no task is called '\(rule.label)'; there is \(labels.joined(separator: ", "))")
        }
        guard rule.step > baseline.steps else { return nil }
        let count = baseline.steps.counting("step")
        return Finding(.setup, "\(Exploration.cancel(rule)) is never reached: the run makes \(count)")
    }

    private func run(_ seeds: ClosedRange<UInt64>) throws -> Outcome {
        let directory = try TemporaryDirectory()
        var outcome = Outcome()
        for seed in seeds {
            var explorer = self
            explorer.schedule = .seeded(seed)
            let observation = try explorer.play([], in: directory, keepsTrace: false).observation
            outcome.positions += 1
            outcome.virtualTime += observation.duration
            outcome.findings = explorer.judge(observation)
            if outcome.findings.isEmpty { continue }
            outcome.failedSeed = seed
            try explorer.shorten(&outcome, in: directory)
            break
        }
        return outcome
    }

    /// Replaces the failing schedule by the shortest that fails in the same way.
    private func shorten(_ outcome: inout Outcome, in directory: TemporaryDirectory) throws {
        let failure = outcome.findings.first.map(Failing.init)
        var explorer = self
        let drawn = ScheduleRecord()
        _ = try explorer.play([], in: directory, keepsTrace: false, record: drawn)
        var shrinker = ScheduleShrinker(isOutOfTime: { ContinuousClock.now > shrinkingEnd }) { departures in
            var explorer = self
            explorer.schedule = .departing(departures)
            let observation = try explorer.play([], in: directory, keepsTrace: false).observation
            return explorer.judge(observation).first.map(Failing.init) == failure
        }
        let departures = try shrinker.shortest(drawn.entries.map(\.departure))
        explorer.schedule = .departing(departures)
        let record = ScheduleRecord()
        let shortest = try explorer.play([], in: directory, keepsTrace: true, record: record).observation
        let findings = explorer.judge(shortest)
        guard findings.first.map(Failing.init) == failure else {
            // What is random besides the schedule decides here: then the seed alone repeats it.
            let again = try play([], in: directory, keepsTrace: true).observation
            (outcome.trace, outcome.journal) = (again.wireTrace, again.machineJournal)
            return
        }
        outcome.findings = findings
        outcome.schedule = record.entries
        (outcome.trace, outcome.journal) = (shortest.wireTrace, shortest.machineJournal)
    }

    /// What makes two failures the same one: shrinking must not slip from one bug to another.
    struct Failing: Equatable {
        let kind: Finding.Kind
        let task: String?

        init(_ finding: Finding) {
            kind = finding.kind
            task = finding.task
        }
    }

    private func play(
        _ position: Exploration, in directory: TemporaryDirectory, keepsTrace: Bool
    ) throws -> CaseObservation {
        var cancel: CancelRule?
        if case .cancel(let rule) = position { cancel = rule }
        return try play(position.rules, cancel: cancel, in: directory, keepsTrace: keepsTrace).observation
    }

    func play(
        _ rules: [FaultRule], cancel: CancelRule? = nil, in directory: TemporaryDirectory, keepsTrace: Bool,
        record: ScheduleRecord? = nil
    ) throws -> (observation: CaseObservation, wire: [WireRecord]) {
        var options = SimulatedDriver.Options(schedule: schedule, rules: rules, keepsTrace: keepsTrace)
        options.record = record
        options.cancel = cancel
        options.directory = directory
        options.contents = contents
        options.keepsJournal = keepsJournal && keepsTrace
        options.adjust = adjust
        let played = try SimulatedDriver.play(scenarioCase, style: style, options: options)
        directory.remove(played.observation.temporaryFiles)
        return played
    }

    func judge(_ observation: CaseObservation) -> [Finding] {
        scenarioCase.findings(observation, style: style, tolerance: schedule.tolerance)
    }

    private func judge(
        _ observation: CaseObservation, at position: Exploration, _ baseline: CaseObservation, _ wire: [WireRecord]
    ) -> [Finding] {
        if case .cancel(let rule) = position {
            return CancelJudge(baseline: baseline, rule: rule).findings(observation)
        }
        guard case .cut(let rule) = position else {
            return judge(observation).map { finding in
                var finding = finding
                finding.summary = "\(position): \(finding.summary)"
                return finding
            }
        }
        return CutJudge(scenarioCase: scenarioCase, baseline: baseline, baselineWire: wire, rule: rule)
            .findings(observation)
    }

    private func positions(
        of exploration: Exploration, _ baseline: CaseObservation, _ wire: [WireRecord]
    ) -> [Exploration] {
        switch exploration {
        case .cut, .split, .cancel: return [exploration]
        case .everyCancel:
            return baseline.journal.tasks.flatMap { task in
                ExploredPositions.moments(of: baseline.steps, seed: seed).map {
                    .cancel(CancelRule(label: task.label, step: $0))
                }
            }
        case .everySplit:
            return wire.flatMap { record in
                ExploredPositions.offsets(of: record, seed: seed).compactMap { offset in
                    // Nothing lies before the first byte or after the last.
                    guard offset > 0, offset < record.carried.fromServer else { return nil }
                    return .split(SplitRule(connection: record.connection, offset: offset))
                }
            }
        case .hostile, .seeds, .hostileSeeds, .bends: return []
        case .everyCut:
            return wire.flatMap { record in
                ExploredPositions.offsets(of: record, seed: seed).flatMap { offset in
                    CutRule.Effect.allCases.map {
                        .cut(CutRule(connection: record.connection, offset: offset, effect: $0))
                    }
                }
            }
        }
    }
}

extension Schedule {
    /// How far timing may be from what the plain order gives.
    var tolerance: TimingTolerance { self == .plain ? .exact : .seeded }
}
