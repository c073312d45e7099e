import Foundation
import HTTPBasics
import ScenarioFormat
import Simulator

/// Plays requested cases in this process: in a worker, or in the command itself.
package final class ScenarioRunner: CaseRunner {
    package typealias Load = (_ root: String, _ scenario: String) throws -> Scenario

    private let load: Load
    private var loaded: (key: String, scenario: Scenario)?
    private lazy var sockets = SocketDriver()

    /// `load` finds a scenario by its id below a root.
    package init(load: @escaping Load) { self.load = load }

    package func run(_ request: CaseRequest) -> CaseResult {
        let start = ContinuousClock.now
        var result: CaseResult
        do {
            let scenario = try scenario(of: request)
            guard scenario.cases.indices.contains(request.row) else {
                return request.result(.setupFailed, findings: [Finding(.setup, "the scenario has no such case")])
            }
            result = try play(scenario.cases[request.row], request)
            if scenario.kind == .observe, result.verdict == .fail { result.verdict = .observed }
        } catch {
            result = request.result(.setupFailed, findings: [Finding(.setup, "\(error)")])
        }
        result.seconds = (ContinuousClock.now - start) / .seconds(1)
        return result
    }

    /// Cases of one scenario come one after another: the last one read is enough.
    private func scenario(of request: CaseRequest) throws -> Scenario {
        let key = "\(request.root)\n\(request.scenario)"
        if let loaded, loaded.key == key { return loaded.scenario }
        let scenario = try load(request.root, request.scenario)
        loaded = (key, scenario)
        return scenario
    }

    private func play(_ scenarioCase: ScenarioCase, _ request: CaseRequest) throws -> CaseResult {
        if let text = request.exploration { return try explore(scenarioCase, request, text) }
        var observation: CaseObservation
        let tolerance: TimingTolerance
        switch request.world {
        case .simulated:
            let schedule = request.schedule(of: scenarioCase)
            var options = SimulatedDriver.Options(schedule: schedule)
            options.keepsJournal = request.journals != nil
            observation = try SimulatedDriver.play(scenarioCase, style: request.style, options: options).observation
            try request.write(journal: observation.machineJournal)
            tolerance = schedule.tolerance
        case .sockets:
            observation = try sockets.play(scenarioCase, style: request.style, seed: request.seed)
            tolerance = .sockets(stall: observation.stall)
        }
        let judge = CaseJudge(
            observation, expecting: scenarioCase.expect, style: request.style, tolerance: tolerance)
        var result = request.result(judge: judge.findings())
        if request.world == .simulated { result.virtualSeconds = observation.duration / .seconds(1) }
        if result.verdict.isFailure { result.trace = observation.wireTrace }
        return result
    }

    private func explore(
        _ scenarioCase: ScenarioCase, _ request: CaseRequest, _ text: String
    ) throws -> CaseResult {
        guard let exploration = Exploration(text) else {
            return request.result(.setupFailed, findings: [Finding(.setup, "no exploration: '\(text)'")])
        }
        guard request.world == .simulated else {
            return request.result(.skipped(reason: "exploration needs the simulated world"))
        }
        var explorer = Explorer(scenarioCase, style: request.style, seed: request.seed)
        explorer.keepsJournal = request.journals != nil
        let outcome = try explorer.run(exploration)
        try request.write(journal: outcome.journal)
        var result = request.result(judge: outcome.findings)
        result.explored = outcome.positions
        result.virtualSeconds = outcome.virtualTime / .seconds(1)
        result.trace = outcome.trace
        result.exploration = outcome.failed?.description ?? text
        guard let seed = outcome.failedSeed else { return result }
        // A seed alone repeats it.
        result.seed = seed
        result.exploration = nil
        if let schedule = outcome.schedule {
            let found = FoundScenario(request, try self.scenario(of: request), seed: seed, schedule: schedule)
            result.found = try request.write(found)
            result.trace = found.notes + result.trace
        }
        return result
    }
}

extension CaseRequest {
    /// A seed that was asked for comes before what the scenario says.
    fileprivate func schedule(of scenarioCase: ScenarioCase) -> Schedule {
        if seed != 0 { return .seeded(seed) }
        guard let entries = scenarioCase.schedule else { return .plain }
        return .departing(entries.map(Departure.init))
    }

    /// Where the scenario was written, if there is a folder for it.
    fileprivate func write(_ scenario: FoundScenario) throws -> String? {
        guard let foundFolder else { return nil }
        let file = "\(foundFolder)/\(scenario.id).yaml"
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try scenario.text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    /// One file a case and style, below folders as the id has them; written whole or not at all.
    func write(journal: String?) throws {
        guard let journals, let journal else { return }
        let file = URL(fileURLWithPath: "\(journals)/\(id).\(style.rawValue).txt")
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try journal.write(to: file, atomically: true, encoding: .utf8)
    }

    func result(judge findings: [Finding]) -> CaseResult {
        let isWedged = findings.contains { $0.kind == .wedged }
        let isSetup = findings.contains { $0.kind == .setup }
        let verdict: CaseVerdict = findings.isEmpty ? .pass : isWedged ? .wedged : isSetup ? .setupFailed : .fail
        return result(verdict, findings: findings)
    }
}
