import ClientLane
import Foundation
import HTTPBasics
import Judge
import ScenarioFormat
import Simulator

/// Plays requested cases in this process, in either world: in a worker, or in the command itself.
package final class CasePlayer {
    private lazy var sockets = SocketDriver()

    private let tell: WorkerLoop.Telling
    private let adjust: (inout SimulationOptions) -> Void

    /// `tell` is told how far an exploration is; `adjust` changes what simulations are given.
    private init(_ tell: @escaping WorkerLoop.Telling, _ adjust: @escaping (inout SimulationOptions) -> Void) {
        self.tell = tell
        self.adjust = adjust
    }

    package static func runner(
        load: @escaping ScenarioRunner.Load = ScenarioLoading.scenario,
        telling: @escaping WorkerLoop.Telling = { _ in },
        adjust: @escaping (inout SimulationOptions) -> Void = { _ in }
    ) -> ScenarioRunner {
        let player = CasePlayer(telling, adjust)
        return ScenarioRunner(load: load) { try player.play($0, $1) }
    }

    private func play(_ scenario: Scenario, _ request: CaseRequest) throws -> CaseResult {
        if let text = request.exploration { return try explore(scenario, request, text) }
        switch request.world {
        case .simulated: return try simulate(scenario.cases[request.row], request)
        case .sockets: return try sockets.result(of: scenario.cases[request.row], request)
        }
    }

    private func simulate(_ scenarioCase: ScenarioCase, _ request: CaseRequest) throws -> CaseResult {
        let schedule = request.schedule(of: scenarioCase)
        let record = ScheduleRecord()
        var options = SimulatedDriver.Options(schedule: schedule)
        options.record = record
        options.adjust = adjust
        options.keepsJournal = request.journals != nil
        options.recorder = TransferRecorder(for: request)
        let observation = try SimulatedDriver.play(scenarioCase, style: request.style, options: options).observation
        let findings = scenarioCase.findings(observation, style: request.style, tolerance: schedule.tolerance)
        let idle = unreached(schedule, record) + HostileJudge.idle(scenarioCase.bends, in: observation, .lane)
        var result = request.result(of: observation, judge: findings + idle)
        result.virtualSeconds = observation.duration / .seconds(1)
        result.leave { _ in try request.write(journal: observation.machineJournal) }
        return result
    }

    /// A decision that never came up is no part of what was played.
    private func unreached(_ schedule: Schedule, _ record: ScheduleRecord) -> [Finding] {
        guard case .departing(let departures) = schedule else { return [] }
        let made = record.entries.map(\.departure)
        return departures.filter { !made.contains($0) }.map {
            Finding(.lane, "the schedule's \($0) was never reached")
        }
    }

    private func explore(_ scenario: Scenario, _ request: CaseRequest, _ text: String) throws -> CaseResult {
        let exploration = try Exploration(text)
        guard request.world == .simulated else {
            return request.result(.skipped(reason: "exploration needs the simulated world"))
        }
        var explorer = Explorer(scenario.cases[request.row], style: request.style, seed: request.seed)
        explorer.keepsJournal = request.journals != nil
        explorer.adjust = adjust
        explorer.skipped = request.played ?? 0
        explorer.failed = request.failures ?? 0
        explorer.playing = { [tell] in tell(.playing(position: $0, exploration: $1.description)) }
        explorer.found = { [tell] in tell(.found(CasePlayer.result($0, scenario, request))) }
        return CasePlayer.result(try explorer.run(exploration), scenario, request)
    }

    private static func result(_ outcome: Explorer.Outcome, _ scenario: Scenario, _ request: CaseRequest) -> CaseResult
    {
        var result = request.result(judge: outcome.findings)
        result.explored = outcome.positions
        result.virtualSeconds = outcome.virtualTime / .seconds(1)
        result.trace = outcome.trace
        result.exploration = outcome.failed?.description ?? request.exploration
        result.leave { _ in try request.write(journal: outcome.journal) }
        if let bends = outcome.bends {
            result.leave { $0.found = try request.write(FoundScenario(request, scenario, bends: bends)) }
        }
        guard let seed = outcome.failedSeed else { return result }
        // A seed alone repeats it.
        result.seed = seed
        result.exploration = nil
        if let schedule = outcome.schedule {
            let found = FoundScenario(request, scenario, seed: seed, schedule: schedule)
            result.trace = found.notes + result.trace
            result.leave { $0.found = try request.write(found) }
        }
        return result
    }
}

extension CaseRequest {
    /// A seed that was asked for comes before what the scenario says.
    fileprivate func schedule(of scenarioCase: ScenarioCase) -> Schedule {
        if seed != 0 { return .seeded(seed) }
        guard let entries = scenarioCase.schedule else { return .plain }
        return .departing(entries.compactMap(Departure.init))
    }

    /// Where the scenario was written, if there is a folder for it.
    func write(_ scenario: FoundScenario) throws -> String? {
        guard let foundFolder else { return nil }
        let file = "\(foundFolder)/\(scenario.id).yaml"
        try OutputFolder.write(Data(scenario.text.utf8), to: file)
        return file
    }

    /// One file a case and style, below folders as the id has them; written whole or not at all.
    func write(journal: String?) throws {
        guard let journals, let journal else { return }
        try OutputFolder.write(Data(journal.utf8), to: "\(journals)/\(id).\(style.rawValue).txt")
    }
}

extension ScenarioCase {
    /// What is wrong with a run; bent answers may lead to states that are not written down.
    func findings(_ observation: CaseObservation, style: Style, tolerance: TimingTolerance) -> [Finding] {
        let judge = CaseJudge(observation, expecting: expect, style: style, tolerance: tolerance)
        return bends.isEmpty ? judge.findings() : HostileJudge.findings(observation, expecting: judge)
    }
}

extension CaseResult {
    /// That something cannot be written takes nothing from what was found: it is one finding more.
    mutating func leave(_ write: (inout CaseResult) throws -> Void) {
        do {
            try write(&self)
        } catch {
            findings.append(Finding(.setup, "\(error)"))
            if verdict == .pass { verdict = .setupFailed }
        }
    }
}
