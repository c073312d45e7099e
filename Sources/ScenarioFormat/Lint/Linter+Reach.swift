import HTTPBasics
import ServerScript

/// Steps and requests that never meet.
extension Linter {
    func checkReach(_ scenarioCase: ScenarioCase) {
        checkLanes(scenarioCase)
        guard !scenarioCase.client.isEmpty else { return }
        checkRequests(scenarioCase)
        checkWire(scenarioCase)
    }

    // MARK: - Connections

    /// A labelled connection that has ended carries nothing more, and each label is a connection of its own.
    private func checkLanes(_ scenarioCase: ScenarioCase) {
        var ended: [String: SourceMark?] = [:], labels: [String] = []
        for step in scenarioCase.script.steps where step.times > 0 {
            checkDoor(of: step, scenarioCase.script)
            guard let lane = step.lane else { continue }
            if let end = ended[lane] {
                let place = end.map { " in line \($0.line)" } ?? ""
                warn("this step is never reached: connection \(lane) ends\(place)", at: step.mark)
            } else if step.endsConnection {
                ended[lane] = step.mark
            }
            if labels.contains(lane) { continue }
            labels.append(lane)
            if let allowed = scenarioCase.expect.connections, labels.count == allowed.upperBound + 1 {
                let names = labels.joined(separator: ", ")
                error(
                    "'connections: \(ScenarioPrinter.text(allowed))' cannot be: the script names \(names)",
                    at: step.mark)
            }
        }
    }

    private func checkDoor(of step: Step, _ script: Script) {
        guard let host = step.host ?? script.hosts.first, script.listenFaults[host] != nil, script.proxies.isEmpty
        else { return }
        error("this step cannot happen: no client reaches \(host), which has a fault at 'listen'", at: step.mark)
    }

    // MARK: - Requests

    private func checkRequests(_ scenarioCase: ScenarioCase) {
        let script = scenarioCase.script, takers = script.takers
        let destinations = scenarioCase.tasks.map { Destination(of: $0, hosts: script.hosts) }
        for (task, destination) in zip(scenarioCase.tasks, destinations) {
            guard let destination, scenarioCase.expect.mustSucceed(task.label), script.otherwise == nil,
                !scenarioCase.session.protocolRules.contains(where: { $0.target == task.target }),
                !script.hasRawBytes, script.proxies.isEmpty, !takers.contains(where: { $0.mayTake(destination) })
            else { continue }
            let line = "\(destination.method) \(destination.target)"
            let nearest = Suggestion.nearest(to: line, among: takers.map(\.exchange.request.line))
            let mark = scenarioCase.client.first { $0.action == .task(task) }?.mark
            warn(
                "no step and no route of host \(destination.host) answers \(line)", at: mark,
                remedy: nearest.map { "did you mean '\($0)'?" })
        }
        guard !scenarioCase.mayGoElsewhere, script.proxies.isEmpty,
            !zip(scenarioCase.tasks, destinations).contains(where: { task, destination in
                destination == nil && task.resumeData == nil
            })
        else { return }
        let known = destinations.compactMap { $0 }
        for taker in takers where !taker.isRoute && !known.contains(where: taker.mayTake) {
            let lines = known.filter { $0.host == taker.host }.map { "\($0.method) \($0.target)" }
            let nearest = Suggestion.nearest(to: taker.exchange.request.line, among: lines)
            let place = script.hosts.count > 1 ? " of host \(taker.host)" : ""
            warn(
                "no task asks for \(taker.exchange.request.line)\(place)", at: taker.mark,
                remedy: nearest.map { "did you mean '\($0)'?" })
        }
    }

    /// What the server reads, a step or a route has taken.
    private func checkWire(_ scenarioCase: ScenarioCase) {
        let script = scenarioCase.script
        guard script.otherwise == nil, !script.hasRawBytes else { return }
        let wire = (scenarioCase.expect.wire ?? []).flatMap(\.requests).map { ($0.line, $0.mark) }
        let ordered = scenarioCase.expect.order.flatMap { rule in rule.requests.map { ($0, rule.mark) } }
        for (line, mark) in wire + ordered {
            let words = line.split(separator: " ").map(String.init)
            // A proxy tunnels by itself.
            guard words.count == 2, words[0] != "CONNECT",
                !script.takers.contains(where: { $0.mayTake(words[0], words[1]) })
            else { continue }
            let nearest = Suggestion.nearest(
                to: line, among: script.takers.map(\.exchange.request.line))
            warn(
                "no step and no route takes \(line)", at: mark,
                remedy: nearest.map { "did you mean '\($0)'?" })
        }
    }
}

extension Step {
    /// Whether nothing can follow on the same connection.
    fileprivate var endsConnection: Bool {
        switch action {
        case .close: true
        case .accept(let fault): fault?.endsConnection ?? false
        case .read, .write: false
        case .exchange(let exchange):
            exchange.allFaults.contains(where: \.endsConnection) || exchange.reply?.framing == .close
                || exchange.reply?.timeline.contains(.stall) ?? false
        }
    }
}

extension Fault {
    fileprivate var endsConnection: Bool {
        switch effect {
        case .fin, .truncate, .reset, .garbage, .halfClose: true
        case .stall:
            // A connection that is only idle may still be asked.
            if case .idle = landmark { false } else { true }
        case .delay: false
        case .record(let fault): fault.sequel != .exchange
        }
    }
}

extension Expectation {
    /// Whether this task has to end well, which takes an answer.
    fileprivate func mustSucceed(_ label: String) -> Bool {
        let events = tasks.first { $0.label == label }?.events ?? []
        return events.contains { pattern in
            if case .event(let match) = pattern { return match.outcomes == [.success] }
            return false
        }
    }
}

extension ScenarioCase {
    /// Whether requests may be made that no task names.
    fileprivate var mayGoElsewhere: Bool {
        // An upload that is continued goes where the server has said.
        if script.redirects || script.exchanges.contains(where: { $0.0.resumable != nil }) { return true }
        return client.contains { step in
            if case .answer(let rule) = step.action, case .rewrite = rule.answer { return true }
            return false
        }
    }
}
