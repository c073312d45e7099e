extension Script {
    /// Every answer of the script, with the line that gives it.
    package var replies: [(Reply, SourceMark?)] {
        var result: [(Reply, SourceMark?)] = []
        for (exchange, mark) in exchanges {
            if let reply = exchange.reply { result.append((reply, mark)) }
        }
        if let otherwise { result.append((otherwise, nil)) }
        return result
    }

    /// Exchanges of steps that happen, then those of routes.
    package var exchanges: [(Exchange, SourceMark?)] {
        var result: [(Exchange, SourceMark?)] = []
        for step in steps where step.times > 0 {
            if case .exchange(let exchange) = step.action { result.append((exchange, step.mark)) }
        }
        return result + routes.map { ($0.exchange, $0.mark) }
    }

    /// What its answers wait for.
    package var awaitedSignals: Set<String> { Set(replies.flatMap { $0.0.timeline.signalsAwaited }) }
}

extension [SendStep] {
    package var signalsSent: [String] { names { if case .signal(let name) = $0 { name } else { nil } } }
    package var signalsAwaited: [String] { names { if case .await(let name) = $0 { name } else { nil } } }

    /// Of those that are repeated as well.
    private func names(_ name: (SendStep) -> String?) -> [String] {
        flatMap { step -> [String] in
            if case .repeat(_, let steps) = step { return steps.names(name) }
            return name(step).map { [$0] } ?? []
        }
    }
}
