import HTTPBasics
import ScenarioFormat
import ServerScript

/// How long a case would take in real time because its author said so.
package enum ScriptedWait {
    package static func longest(in scenarioCase: ScenarioCase) -> Duration {
        max(server(scenarioCase.script) + client(scenarioCase.client), timeouts(scenarioCase), windows(scenarioCase))
    }

    // MARK: The server's waits

    private static func server(_ script: Script) -> Duration {
        let steps = script.steps.reduce(Duration.zero) { sum, step in
            guard step.times > 0 else { return sum }
            return sum + action(step.action) * min(step.times, 1000)
        }
        return script.routes.reduce(steps) { $0 + exchange($1.exchange) }
    }

    private static func action(_ action: Step.Action) -> Duration {
        switch action {
        case .exchange(let exchange): return self.exchange(exchange)
        case .accept(let fault): return self.fault(fault)
        case .close(let effect): return self.effect(effect)
        case .read, .write: return .zero
        }
    }

    private static func exchange(_ exchange: Exchange) -> Duration {
        guard let reply = exchange.reply else { return fault(exchange.fault) }
        let interim = reply.interim.reduce(Duration.zero) { $0 + $1.delay }
        return fault(exchange.fault) + fault(reply.fault) + reply.delay + interim + timeline(reply.timeline)
    }

    private static func timeline(_ steps: [SendStep]) -> Duration {
        steps.reduce(.zero) { sum, step in
            switch step {
            case .wait(let wait): return sum + wait
            case .repeat(let times, let inner): return sum + timeline(inner) * max(0, min(times, 100_000))
            default: return sum
            }
        }
    }

    private static func fault(_ fault: Fault?) -> Duration {
        guard let fault else { return .zero }
        guard case .idle(let wait) = fault.landmark else { return effect(fault.effect) }
        return wait + effect(fault.effect)
    }

    private static func effect(_ effect: Effect) -> Duration {
        guard case .delay(let delay) = effect else { return .zero }
        return delay
    }

    // MARK: The client's waits

    private static func client(_ steps: [ClientStep]) -> Duration {
        steps.reduce(.zero) { sum, step in
            switch step.action {
            case .advance(let span): return sum + span
            case .answer(let rule): return sum + rule.delay
            default: return sum
            }
        }
    }

    /// A task that must time out waits for its timer: the shortest that the case sets, else the defaults.
    private static func timeouts(_ scenarioCase: ScenarioCase) -> Duration {
        let timedOut = scenarioCase.expect.tasks.filter { mayTimeOut($0.events ?? []) }
        guard !timedOut.isEmpty else { return .zero }
        let session = scenarioCase.session
        return timedOut.map { task -> Duration in
            let own = scenarioCase.client.compactMap { step -> Duration? in
                guard case .task(let description) = step.action, description.label == task.label else { return nil }
                return description.timeout
            }.first
            let request = own ?? session.timeoutIntervalForRequest ?? .seconds(60)
            return min(request, session.timeoutIntervalForResource ?? .seconds(604_800))
        }.max() ?? .zero
    }

    private static func mayTimeOut(_ patterns: [EventPattern]) -> Bool {
        patterns.contains { pattern in
            switch pattern {
            case .event(let match): return isTimeOut(match)
            case .maybe(let matches): return matches.contains(where: isTimeOut)
            case .unordered(let inner): return mayTimeOut(inner)
            case .repeat(_, let inner): return mayTimeOut([inner])
            case .anyOf(let lists): return lists.contains(where: mayTimeOut)
            case .never, .anything: return false
            }
        }
    }

    private static func isTimeOut(_ match: EventMatch) -> Bool {
        match.outcomes.contains {
            if case .failure("timedOut", _) = $0 { return true }
            return false
        }
    }

    /// Whoever expects an event after four seconds has waited four seconds.
    private static func windows(_ scenarioCase: ScenarioCase) -> Duration {
        scenarioCase.expect.tasks.flatMap(\.timing).map(\.within.lowerBound).max() ?? .zero
    }
}
