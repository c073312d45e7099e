import ScenarioFormat

/// Finds the scenario that a request means, and has its case played.
package final class ScenarioRunner: CaseRunner {
    package typealias Load = (_ root: String, _ scenario: String) throws -> Scenario
    package typealias Play = (_ scenario: Scenario, _ request: CaseRequest) throws -> CaseResult

    private let load: Load
    private let play: Play
    private var loaded: (key: String, scenario: Scenario)?

    /// `load` finds a scenario by its id below a root; `play` is given requests for rows that are there.
    package init(load: @escaping Load = ScenarioLoading.scenario, play: @escaping Play) {
        self.load = load
        self.play = play
    }

    package func run(_ request: CaseRequest) -> CaseResult {
        let start = ContinuousClock.now
        var result: CaseResult
        do {
            let scenario = try scenario(of: request)
            guard scenario.cases.indices.contains(request.row) else {
                return request.result(.setupFailed, findings: [Finding(.setup, "the scenario has no such case")])
            }
            if let obstacle = CaseObstacle(scenario.cases[request.row]) { throw obstacle }
            result = try play(scenario, request)
            if request.client == .ours { result.weigh(by: scenario.kind) }
        } catch let obstacle as CaseObstacle {
            result = request.result(.skipped(reason: obstacle.reason))
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
}

extension CaseResult {
    /// What stands under `expect:` binds as the scenario's kind says; what holds in every run, and what the script
    /// demands, binds a `should` like a `must`.
    fileprivate mutating func weigh(by kind: Scenario.Kind) {
        guard verdict == .fail else { return }
        switch kind {
        case .must: break
        case .should: if exploration == nil, findings.allSatisfy(\.kind.isOfExpectation) { verdict = .unmet }
        case .observe: verdict = .observed
        }
    }
}

extension CaseRequest {
    /// What the judge found makes the verdict.
    package func result(judge findings: [Finding]) -> CaseResult {
        let isWedged = findings.contains { $0.kind == .wedged }
        let isSetup = findings.contains { $0.kind == .setup }
        let verdict: CaseVerdict = findings.isEmpty ? .pass : isWedged ? .wedged : isSetup ? .setupFailed : .fail
        return result(verdict, findings: findings)
    }

    /// The same for one run, with what the report shows of it.
    package func result(of observation: CaseObservation, judge findings: [Finding]) -> CaseResult {
        var result = result(judge: findings)
        if result.verdict.isFailure { result.trace = observation.wireTrace }
        if !observation.transfers.isEmpty { result.transfers = observation.transfers }
        return result
    }
}
