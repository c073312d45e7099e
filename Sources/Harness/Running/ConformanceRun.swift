import Foundation
import Judge
import Locks
import ScenarioFormat

/// A whole run: plan, play, report.
package final class ConformanceRun: @unchecked Sendable {
    // Safety: reporters and totals are used under `reporting`; the rest is immutable.

    /// Wall time for one case; the drivers give up earlier by themselves.
    private static let deadline = Duration.seconds(90)
    /// Other clients are given less time for a case.
    private static let otherDeadline = Duration.seconds(25)
    /// An exploration plays its case hundreds of times.
    private static let explorationDeadline = Duration.seconds(900)

    private let options: RunOptions
    private let plan: CasePlan
    private let reporters: [any Reporter]
    private let reporting = Lock(())
    private var totals = Totals()
    private let stop: StopSignal

    /// Reads and plans; nothing is played yet.
    ///
    /// - Throws: `UsageError` when there is nothing sound to play. Diagnostics, also mere warnings, go to `complain`.
    package convenience init(
        _ options: RunOptions, terminal: any Reporter, stop: StopSignal, complain: (String) -> Void
    ) throws {
        let patterns = options.patterns.map { ScenarioLoading.pattern($0, root: options.root) }
        let loaded = try ScenarioLoading.load(root: options.root, patterns: patterns)
        for diagnostic in loaded.diagnostics { complain(diagnostic.rendered()) }
        if loaded.hasErrors { throw UsageError("some scenarios cannot be read: nothing was run") }
        try self.init(options, playing: loaded.scenarios, patterns: patterns, terminal: terminal, stop: stop)
        try plan.demandPlayable()
        if isEmpty, options.shard == nil { throw UsageError("there is no case in '\(options.root)'") }
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
        let worlds = options.exploration == nil ? options.worlds : [.simulated]
        plan = CasePlan(
            scenarios, patterns: patterns, clients: options.clients, worlds: worlds, styles: options.styles,
            shard: options.shard)
        if let directory = options.journalDirectory { try OutputFolder.prepare(directory, for: "journal") }
        var reporters = [terminal]
        if let directory = options.reportDirectory {
            try OutputFolder.prepare(directory, for: "report")
            if options.clients != [.ours] {
                reporters.append(RecordsReporter(file: "\(directory)/records.yaml", plan: plan))
            }
            reporters.append(JUnitReporter(file: "\(directory)/junit.xml"))
            reporters.append(JSONLinesReporter(file: "\(directory)/results.jsonl"))
        }
        self.reporters = reporters
    }

    var isEmpty: Bool { plan.cases.isEmpty }

    /// Blocks until all is played and reported.
    package func run() throws -> RunStatus {
        let start = ContinuousClock.now
        let portions: [String?] = options.exploration.map { $0.portions.map(\.description) } ?? [nil]
        for reporter in reporters { reporter.begin(planned: plan.cases.count * portions.count) }
        var requests: [ClientName: [CaseRequest]] = [:]
        var number = 0
        for planned in plan.cases {
            for portion in portions {
                let request = request(planned, number: number, exploration: portion)
                number += 1
                if let reason = planned.skip {
                    take(request.result(.skipped(reason: reason)))
                } else if let gap = planned.gap {
                    take(request.result(.unimplemented(reason: gap)))
                } else {
                    requests[planned.client, default: []].append(request)
                }
            }
        }
        let broken = ClientName.allCases.lazy.compactMap { [self] in play(requests[$0] ?? [], $0) }.first
        let wasInterrupted = stop.isRaised && !hasEnoughFailures
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        for reporter in reporters {
            try reporter.end(totals, seconds: seconds, wasInterrupted: wasInterrupted)
        }
        if let broken { throw InternalError(broken) }
        return RunStatus(totals, wasInterrupted: wasInterrupted)
    }

    private func request(_ planned: PlannedCase, number: Int, exploration: String?) -> CaseRequest {
        var request = CaseRequest(
            number: number, root: options.root, planned: planned, seed: options.seed, exploration: exploration)
        request.journals = options.journalDirectory
        request.foundFolder = options.foundDirectory
        return request
    }

    /// Returns why it could not be done.
    private func play(_ requests: [CaseRequest], _ client: ClientName) -> String? {
        guard !requests.isEmpty else { return nil }
        if options.isInProcess { return playHere(requests) }
        var workers = Supervisor.Options(
            executable: options.executable, arguments: ["worker"], jobs: options.jobs,
            deadline: ConformanceRun.deadline)
        if options.exploration != nil { workers.deadline = ConformanceRun.explorationDeadline }
        if client == .foundation {
            workers.executable = "\(options.executable)-reference"
            workers.deadline = ConformanceRun.otherDeadline
            // A crash in another's library is a fact; where in it is not our business, and takes seconds to find out.
            workers.environment = ["SWIFT_BACKTRACE": "enable=no"]
        }
        return Supervisor(requests, options: workers, stop: stop) { [self] result in
            take(RecordedDifference.settled(result, plan.difference(of: result)))
        }.run()
    }

    private func take(_ result: CaseResult) {
        reporting.withLock { _ in
            totals.add(result)
            for reporter in reporters { reporter.take(result) }
            if hasEnoughFailures { stop.raise() }
        }
    }

    private var hasEnoughFailures: Bool { options.stopsAtFailure && totals.hasFailures }

    private func playHere(_ requests: [CaseRequest]) -> String? {
        let runner = CasePlayer.runner()
        for request in requests where !stop.isRaised { take(runner.run(request)) }
        return nil
    }
}

/// The harness itself is broken.
package struct InternalError: Error, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}
