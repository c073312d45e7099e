import Foundation
import Judge
import ServerScript

extension Supervisor {
    /// Wall time for one try, which has one run to play.
    private static let tryTime = Duration.seconds(30)

    /// The result of a worker that ended while it played: with bends, the fewest of them, and the scenario of it.
    func dying(
        _ request: CaseRequest, _ worker: WorkerProcess, since start: ContinuousClock.Instant, _ how: String
    ) -> CaseResult {
        let request = shortened(request)
        var result = died(request, worker, since: start, how)
        guard case .bends(let bends)? = request.exploration.flatMap({ try? Exploration($0) }) else { return result }
        result.leave {
            let scenario = try ScenarioLoading.scenario(root: request.root, id: request.scenario)
            $0.found = try request.write(FoundScenario(request, scenario, bends: bends))
        }
        return result
    }

    /// The request with the fewest bends that end a worker, of those that ended one.
    func shortened(_ request: CaseRequest) -> CaseRequest {
        guard let text = request.exploration, case .bends(let bends)? = try? Exploration(text) else { return request }
        var request = request
        request.played = nil
        let shortest = BendShrinker.shortest(bends) { fewer in
            request.exploration = Exploration.bends(fewer).description
            return !stop.isRaised && endsWorker(request)
        }
        request.exploration = Exploration.bends(shortest).description
        return request
    }

    private func endsWorker(_ request: CaseRequest) -> Bool {
        // Where in the code it dies was said once, and takes seconds to find out.
        let environment = options.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        guard let line = try? JSONEncoder().encode(request),
            let worker = try? WorkerProcess(
                executable: options.executable, arguments: options.arguments, environment: environment, stop: stop)
        else { return false }
        defer { worker.kill() }
        guard worker.send(line) else { return false }
        var answer = worker.receive(within: Supervisor.tryTime)
        while case .line(let line) = answer, CaseProgress(line) != nil {
            answer = worker.receive(within: Supervisor.tryTime)
        }
        if case .ended = answer { return true }
        return false
    }
}

extension CaseRequest {
    /// What is left of the exploration when a worker has died of a position; nil when enough have.
    func behind(_ progress: CaseProgress) -> CaseRequest? {
        let count = (deaths ?? 0) + 1
        guard count < Explorer.mostFailures else { return nil }
        var rest = self
        rest.played = progress.position + 1
        rest.deaths = count
        return rest
    }
}
