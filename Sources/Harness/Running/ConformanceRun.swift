import Foundation
import ScenarioFormat
import Locks

/// A whole run: plan, play, report.
package final class ConformanceRun: @unchecked Sendable {
    // Safety: reporters and totals are used under `reporting`; the rest is immutable.

    /// Wall time for one case; the drivers give up earlier by themselves.
    private static let deadline = Duration.seconds(90)
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
        plan = CasePlan(scenarios, patterns: patterns, worlds: worlds, styles: options.styles, shard: options.shard)
        if let directory = options.journalDirectory { try OutputFolder.prepare(directory, for: "journal") }
        var reporters = [terminal]
        if let directory = options.reportDirectory {
            try OutputFolder.prepare(directory, for: "report")
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
        var requests: [CaseRequest] = []
        for planned in plan.cases {
            for portion in portions {
                let request = request(planned, number: requests.count, exploration: portion)
                if let reason = planned.skip {
                    take(request.result(.skipped(reason: reason)))
                } else {
                    requests.append(request)
                }
            }
        }
        let broken = options.isInProcess ? playHere(requests) : supervise(requests)
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

    private func take(_ result: CaseResult) {
        reporting.withLock { _ in
            totals.add(result)
            for reporter in reporters { reporter.take(result) }
            if hasEnoughFailures { stop.raise() }
        }
    }

    private var hasEnoughFailures: Bool { options.stopsAtFailure && totals.hasFailures }

    private func playHere(_ requests: [CaseRequest]) -> String? {
        let runner = ScenarioRunner(load: ScenarioLoading.scenario)
        for request in requests where !stop.isRaised { take(runner.run(request)) }
        return nil
    }

    private func supervise(_ requests: [CaseRequest]) -> String? {
        let deadline =
            options.exploration == nil ? ConformanceRun.deadline : ConformanceRun.explorationDeadline
        let workers = Supervisor.Options(
            executable: options.executable, arguments: ["worker"], jobs: options.jobs, deadline: deadline)
        return Supervisor(requests, options: workers, stop: stop) { self.take($0) }.run()
    }
}

/// The harness itself is broken.
package struct InternalError: Error, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}
