import Foundation
import Judge
import Locks
import ScenarioFormat
import Serving

/// A whole run: plan, play, report.
package final class ConformanceRun: @unchecked Sendable {
    // Safety: reporters, totals and failures are used under `reporting`; the rest is immutable.

    /// Wall time for one case; the drivers give up earlier by themselves.
    private static let deadline = Duration.seconds(90)
    /// Other clients are given less time for a case.
    private static let otherDeadline = Duration.seconds(25)

    private let options: RunOptions
    private let plan: CasePlan
    /// Where its scenarios are, for a command in any folder.
    private let root: String
    private let reporters: [any Reporter]
    private let reporting = Lock(())
    private var totals = Totals()
    private var flaky = FlakyRecords()
    /// How many portions of its exploration each case has failed in, by id and style.
    private var failures: [String: Int] = [:]
    private let portions: [Exploration?]
    private let stop: StopSignal

    /// Reads and plans; nothing is played yet.
    ///
    /// - Throws: `UsageError` when there is nothing sound to play. Diagnostics, also mere warnings, go to `complain`.
    package convenience init(
        _ options: RunOptions, terminal: any Reporter, stop: StopSignal, complain: (String) -> Void
    ) throws {
        let patterns = try options.patterns.map { try ScenarioLoading.pattern($0, root: options.root) }
        let loaded = try ScenarioLoading.load(root: options.root, patterns: patterns)
        for diagnostic in loaded.diagnostics { complain(diagnostic.rendered()) }
        if loaded.hasErrors { throw UsageError("some scenarios cannot be read: nothing was run") }
        try self.init(options, playing: loaded.scenarios, patterns: patterns, terminal: terminal, stop: stop)
        try plan.demandPlayable()
        if isEmpty, options.part == nil { throw UsageError("there is no case in '\(options.root)'") }
    }

    /// Plans what the patterns mean of these scenarios, which may be nothing.
    ///
    /// - Throws: `UsageError` when reports or journals cannot be written.
    init(
        _ options: RunOptions, playing scenarios: [Scenario], patterns: [ScenarioPattern], terminal: any Reporter,
        stop: StopSignal
    ) throws {
        self.options = options
        self.stop = stop
        root = URL(fileURLWithPath: options.root).standardizedFileURL.path
        portions = options.exploration?.portions ?? [nil]
        let worlds = options.exploration == nil ? options.worlds : [.simulated]
        plan = CasePlan(
            scenarios, patterns: patterns, clients: options.clients, worlds: worlds, styles: options.styles,
            part: options.part)
        if options.clients.contains(.foundation), !FileManager.default.isExecutableFile(atPath: options.referenceWorker)
        {
            throw UsageError(
                "there is no '\(options.referenceWorker)', which plays that client: 'make matrix' builds it")
        }
        if let exploration = options.exploration, exploration.leavesScenarios, let directory = options.foundDirectory {
            try OutputFolder.prepare(directory, for: "found")
        }
        if let directory = options.journalDirectory { try OutputFolder.prepare(directory, for: "journal") }
        var reporters = [terminal]
        if let directory = options.reportDirectory {
            try OutputFolder.prepare(directory, for: "report")
            if options.clients != [.ours] {
                reporters.append(RecordsReporter(file: "\(directory)/records.yaml", plan: plan))
            }
            reporters.append(JUnitReporter(file: "\(directory)/junit.xml"))
            reporters.append(JSONLinesReporter(file: "\(directory)/results.jsonl"))
            reporters.append(HTMLReporter(file: "\(directory)/report.html"))
        }
        self.reporters = reporters
    }

    var isEmpty: Bool { plan.cases.isEmpty }

    /// Blocks until all is played and reported.
    package func run() throws -> RunStatus {
        let start = ContinuousClock.now
        let agendas = ClientName.allCases.map { (client: $0, agenda: agenda(of: $0)) }
        let idle = plan.cases.filter { !$0.isPlayed }
        for reporter in reporters { reporter.begin(planned: agendas.reduce(idle.count) { $0 + $1.agenda.count }) }
        for planned in idle {
            let verdict = planned.skip.map { CaseVerdict.skipped(reason: $0) }
            let request = request(planned, number: 0, exploration: options.exploration)
            take(request.result(verdict ?? .unimplemented(reason: planned.gap ?? "")))
        }
        let broken = agendas.lazy.compactMap { [self] in play($0.agenda, $0.client) }.first
        let wasInterrupted = stop.isRaised && !hasEnoughFailures
        for result in flaky.rest(isWhole: { !stop.isRaised && plan.isWhole($0) }) { take(result) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        var problems = broken.map { [InternalError($0) as any Error] } ?? []
        for reporter in reporters {
            do {
                try reporter.end(totals, seconds: seconds, wasInterrupted: wasInterrupted)
            } catch {
                // The others have theirs to say all the same.
                problems.append(error)
            }
        }
        if let first = problems.first { throw first }
        return RunStatus(totals, wasInterrupted: wasInterrupted, isPart: options.part != nil)
    }

    /// The portions of a case one after another, until it has failed often enough.
    private func agenda(of client: ClientName) -> Agenda {
        let cases = plan.cases.filter { $0.client == client && $0.isPlayed }
        return Agenda(count: cases.count * portions.count) { [self] number in
            let (index, portion) = number.quotientAndRemainder(dividingBy: portions.count)
            let request = request(cases[index], number: number, exploration: portions[portion])
            let hasFailedEnough = reporting.withLock { _ in
                failures["\(request.id) \(request.style)"] ?? 0 >= Explorer.mostFailures
            }
            return hasFailedEnough ? nil : request
        }
    }

    private func request(_ planned: PlannedCase, number: Int, exploration: Exploration?) -> CaseRequest {
        var request = CaseRequest(
            number: number, root: options.root, planned: planned, seed: options.seed,
            exploration: exploration?.description)
        request.journals = options.journalDirectory
        if options.reportDirectory != nil, exploration == nil, planned.client == .ours { request.drawsTransfers = true }
        request.foundFolder = options.foundDirectory
        if planned.client != .ours,
            planned.scenarioCase.difference(of: planned.client, in: planned.style)?.may.contains(.conform) == true
        {
            request.plays = RecordedDifference.plays
        }
        return request
    }

    /// Returns why it could not be done.
    private func play(_ agenda: Agenda, _ client: ClientName) -> String? {
        guard agenda.count > 0 else { return nil }
        if options.isInProcess { return playHere(agenda) }
        var workers = Supervisor.Options(
            executable: options.executable, arguments: ["worker"], jobs: options.jobs(for: client),
            deadline: ConformanceRun.deadline)
        // Hostile runs are reported one by one.
        if let exploration = options.exploration, !exploration.isHostile { workers.deadline = Explorer.deadline }
        if client == .foundation {
            workers.executable = options.referenceWorker
            workers.deadline = ConformanceRun.otherDeadline
            // A crash in another's library is a fact; where in it is not our business, and takes seconds to find out.
            workers.environment = ["SWIFT_BACKTRACE": "enable=no"]
        }
        return Supervisor(agenda, options: workers, stop: stop) { [self] result in
            let settled = reporting.withLock { _ in flaky.settled(result, plan.difference(of: result)) }
            if let settled { take(settled) }
        }.run()
    }

    private func take(_ taken: CaseResult) {
        var result = taken
        result.command = options.command
        result.root = root
        if options.isStrict { result.weighStrictly() }
        reporting.withLock { _ in
            totals.add(result)
            if options.exploration != nil, result.verdict.isFailure {
                failures["\(result.id) \(result.style)", default: 0] += 1
            }
            for reporter in reporters { reporter.take(result) }
            if hasEnoughFailures { stop.raise() }
        }
    }

    private var hasEnoughFailures: Bool { options.stopsAtFailure && totals.hasFailures }

    private func playHere(_ agenda: Agenda) -> String? {
        let runner = CasePlayer.runner()
        while !stop.isRaised, let request = agenda.next() { take(runner.run(request)) }
        return nil
    }
}

extension CaseResult {
    /// What should be must be, and what passes for want of a clock does not.
    fileprivate mutating func weighStrictly() {
        if verdict == .unmet { verdict = .fail }
        guard verdict == .pass, isVague == true else { return }
        verdict = .fail
        let span = SecondsText.text(widened ?? 0)
        findings.append(
            Finding(.timing, "its windows were widened beyond their meaning: the machine stood still for \(span)"))
    }
}

/// The harness itself is broken.
package struct InternalError: Error, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}
