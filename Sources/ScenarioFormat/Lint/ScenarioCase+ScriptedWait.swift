import ServerScript

extension ScenarioCase {
    /// Waits above this would make a run over sockets too slow, so the case is played in virtual time only.
    package static let longestRealWait = Duration.seconds(3)

    /// `timeoutIntervalForRequest` and `timeoutIntervalForResource` when nothing sets them (BEHAVIOUR 1.D1).
    private static let requestTimeout = Duration.seconds(60), resourceTimeout = Duration.seconds(7 * 86_400)

    package var needsVirtualTime: Bool { scriptedWait > ScenarioCase.longestRealWait }

    /// The time that a run must sit through if nothing overlaps: scripted pauses, and timeouts that must expire.
    package var scriptedWait: Duration {
        var sum = Duration.zero
        let upload = tasks.compactMap { ($0.ownBody ?? $0.sliced?.content)?.plainSize }.max() ?? 0
        for step in script.steps {
            guard case .exchange(let exchange) = step.action else {
                if case .accept(let fault?) = step.action { sum = sum.adding(fault.effect.wait, times: step.times) }
                continue
            }
            sum = sum.adding(exchange.wait(reading: upload), times: step.times)
        }
        for route in script.routes { sum = sum.adding(route.exchange.wait(reading: upload)) }
        if let otherwise = script.otherwise { sum = sum.adding(otherwise.wait) }
        for step in client { sum = sum.adding(wait(of: step)) }
        for case .delay(let span) in diskFaults.map(\.effect) { sum = sum.adding(span) }
        for rule in session.protocolRules { sum = sum.adding(rule.withdrawal ?? .zero, times: 2) }
        // Two calls of a task: with its ticket, and with a password.
        let calls = gssapi.map { $0.rounds + 1 } ?? 0
        sum = sum.adding(gssapi?.delay ?? .zero, times: calls * tasks.count)
        for fault in script.tls.values.compactMap(\.fault) {
            // Each task may need a connection of its own.
            sum = sum.adding(fault.wait, times: fault.connection == nil ? max(1, tasks.count) : 1)
        }
        for name in names { sum = sum.adding(name.delay) }
        for expectation in expect.tasks where expectation.mayTimeOut {
            sum = sum.adding(timeout(of: expectation.label))
        }
        return sum
    }

    private func wait(of step: ClientStep) -> Duration {
        switch step.action {
        case .advance(let span): span
        case .answer(let rule): rule.delay
        // Until its body goes out without having been asked for (BEHAVIOUR 1.I2-wait).
        case .task(let task) where task.fields.contains("Expect"): .seconds(1)
        case .task(let task): task.earliestBegin ?? .zero
        default: .zero
        }
    }

    /// How long silence lasts before the task gives up.
    func timeout(of label: String) -> Duration {
        var own: Duration?
        for step in client {
            if case .task(let task) = step.action, task.label == label { own = task.edited.timeout }
        }
        // Zero counts as not set (BEHAVIOUR 1.D1-zero).
        let request = [own, session.timeoutIntervalForRequest].compactMap { $0 }.first { $0 > .zero }
        let resource = session.timeoutIntervalForResource.flatMap { $0 > .zero ? $0 : nil }
        return min(request ?? ScenarioCase.requestTimeout, resource ?? ScenarioCase.resourceTimeout)
    }
}

extension TaskExpectation {
    /// Whether `timedOut` is among the outcomes of its `complete`.
    fileprivate var mayTimeOut: Bool {
        (events ?? []).contains { pattern in
            guard case .event(let match) = pattern else { return false }
            return match.outcomes.contains { outcome in
                if case .failure("timedOut", _) = outcome { return true }
                return false
            }
        }
    }
}

extension Exchange {
    /// Scripted pauses from the request to the end of the answer, if the request's body has so many bytes.
    fileprivate func wait(reading upload: Int) -> Duration {
        let reading = readRate.map { upload.transferTime(at: $0) } ?? .zero
        return (reply?.wait ?? .zero).adding(faults.wait).adding(reading)
    }
}

extension Reply {
    var wait: Duration {
        let sending = sendRate.map { (body.plainSize ?? 0).transferTime(at: $0) } ?? .zero
        let before = delay.adding(delaySpread?.longest ?? .zero)
        let pauses = before.adding(timeline.wait).adding(faults.wait).adding(sending)
        return interim.reduce(pauses) { $0.adding($1.delay, times: $1.times) }
    }
}

extension Int {
    /// How long so many bytes take at a rate.
    fileprivate func transferTime(at rate: Int) -> Duration {
        .seconds(Double(self) / Double(Swift.max(1, rate)))
    }
}

extension [Fault] {
    fileprivate var wait: Duration { reduce(.zero) { $0.adding($1.wait) } }
}

extension Fault {
    fileprivate var wait: Duration {
        if case .idle(let span) = landmark { return span.adding(effect.wait) }
        return effect.wait
    }
}

extension HandshakeFault {
    /// With the usual certificates both flights have some 2,500 bytes.
    fileprivate var wait: Duration {
        if case .delay(let span) = effect { return span }
        return Duration.zero.adding(pace ?? .zero, times: 2_500)
    }
}

extension Fault.Effect {
    fileprivate var wait: Duration {
        if case .delay(let span) = self { return span }
        return .zero
    }
}

extension [SendStep] {
    /// All pauses, repetitions counted; what follows a stall never happens.
    var wait: Duration {
        var sum = Duration.zero
        for step in self {
            switch step {
            case .wait(let span): sum = sum.adding(span)
            case .repeat(let count, let steps): sum = sum.adding(steps.wait, times: count)
            case .stall: return sum
            default: break
            }
        }
        return sum
    }
}

extension Duration {
    /// Saturates at 36500 days, the longest that a file can write.
    func adding(_ other: Duration, times: Int = 1) -> Duration {
        let limit = 36_500 * 86_400.0
        let seconds = self.asSeconds + other.asSeconds * Double(times)
        return seconds < limit ? self + other * times : .seconds(36_500 * 86_400)
    }

    private var asSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
