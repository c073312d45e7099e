import Foundation
import Judge
import ServerScript

extension Supervisor {
    /// Wall time for one try, which has one run to play.
    private static let tryTime = Duration.seconds(30)

    /// The result of a worker that died while it played: with bends, the fewest of them, and the scenario of it.
    func dying(
        _ request: CaseRequest, _ worker: WorkerProcess, since start: ContinuousClock.Instant, _ death: WorkerDeath
    ) -> CaseResult {
        guard case .bends(let drawn)? = request.exploration.flatMap({ try? Exploration($0) }) else {
            return failed(request, death.verdict, since: start, worker, death.finding)
        }
        var request = request
        request.played = nil
        // A run that came too late may have had to wait for others: that is no bend's fault.
        let isRepeated = if case .late = death { dies(request, death) } else { true }
        let bends = isRepeated ? shortest(drawn, of: request, death) : drawn
        request.exploration = Exploration.bends(bends).description
        var finding = death.finding
        finding.summary = "\(Exploration.bends(bends)): \(finding.summary)"
        if !isRepeated { finding.details.append("played once more, by itself, it came to an end") }
        var result = failed(request, death.verdict, since: start, worker, finding)
        guard isRepeated, request.foundFolder != nil else { return result }
        result.leave {
            let scenario = try ScenarioLoading.scenario(root: request.root, id: request.scenario)
            $0.found = try request.write(FoundScenario(request, scenario, bends: bends))
        }
        return result
    }

    private func shortest(_ bends: [Bend], of request: CaseRequest, _ death: WorkerDeath) -> [Bend] {
        BendShrinker.shortest(bends) { fewer in
            var request = request
            request.exploration = Exploration.bends(fewer).description
            return !stop.isRaised && dies(request, death)
        }
    }

    /// Whether another worker dies of it in the same way.
    private func dies(_ request: CaseRequest, _ death: WorkerDeath) -> Bool {
        // Where in the code it dies was said once, and takes seconds to find out.
        let environment = options.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        guard let line = try? JSONEncoder().encode(request),
            let worker = try? WorkerProcess(
                executable: options.executable, arguments: options.arguments, environment: environment, stop: stop)
        else { return false }
        defer { worker.kill() }
        guard worker.send(line) else { return false }
        let limit = min(Supervisor.tryTime, options.deadline)
        var answer = worker.receive(within: limit)
        while case .line(let line) = answer, CaseProgress(line) != nil { answer = worker.receive(within: limit) }
        return WorkerDeath(answer, within: limit)?.isLike(death) == true
    }
}

extension CaseRequest {
    /// What is left of the exploration when a worker has died of a position; nil when enough have failed.
    func behind(_ heard: HeardProgress) -> CaseRequest? {
        guard let position = heard.position else { return nil }
        let count = (failures ?? 0) + heard.failures + 1
        guard count < Explorer.mostFailures else { return nil }
        var rest = self
        rest.played = position + 1
        rest.failures = count
        return rest
    }
}
