import ServerScript

/// Judges a decoded scenario as a whole: things that are well written and still cannot be meant.
package struct Linter {
    let scenario: Scenario
    let log: DiagnosticLog
    let knownRows: Set<String>?
    /// All its cases are there: what one of them makes use of need not be in each.
    let isWhole: Bool

    /// Written in small letters, such a method is likely to be a slip.
    static let methods: Set = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE",
    ]

    init(_ scenario: Scenario, log: DiagnosticLog, knownRows: Set<String>? = nil, isWhole: Bool = true) {
        self.isWhole = isWhole
        self.scenario = scenario
        self.log = log
        self.knownRows = knownRows
    }

    /// What is wrong with `scenario`; with its text the messages show the lines. `ScenarioReader` has asked already,
    /// except for `knownRows` (the ids of Documentation/BEHAVIOUR.md) if it was not given them.
    package static func lint(
        _ scenario: Scenario, text: String? = nil, knownRows: Set<String>? = nil
    ) -> [Diagnostic] {
        let log = DiagnosticLog(source: SourceText(file: scenario.file, text: text ?? ""))
        Linter(scenario, log: log, knownRows: knownRows).lint()
        return log.diagnostics
    }

    func lint() {
        checkRows()
        if isWhole { checkChances() }
        for scenarioCase in scenario.cases where !log.isFull {
            checkSignals(scenarioCase)
            checkServer(scenarioCase)
            checkReach(scenarioCase)
            checkClient(scenarioCase)
            checkExpectations(scenarioCase)
        }
    }

    func error(_ message: String, at mark: SourceMark?, remedy: String? = nil) {
        log.add(.error, message, at: mark ?? log.source.mark(1, 1), remedy: remedy)
    }

    func warn(_ message: String, at mark: SourceMark?, remedy: String? = nil) {
        log.add(.warning, message, at: mark ?? log.source.mark(1, 1), remedy: remedy)
    }

    func note(_ message: String, at mark: SourceMark?) {
        log.add(.note, message, at: mark ?? log.source.mark(1, 1))
    }

    private func checkRows() {
        guard let knownRows else { return }
        for row in scenario.rows where !knownRows.contains(row) {
            let nearest = Suggestion.nearest(to: row, among: Array(knownRows))
            let mark = log.source.mark(ofWord: row)
            let remedy = nearest.map { "did you mean '\($0)'?" }
            log.add(.error, "no row '\(row)' in BEHAVIOUR", at: mark, length: row.count, remedy: remedy)
        }
    }

    /// One row of several may well be spared.
    private func checkChances() {
        let faults = scenario.cases.flatMap(\.script.faults)
        for fault in faults where fault.percent == 0 {
            guard !faults.contains(where: { $0.mark == fault.mark && $0.percent > 0 }) else { continue }
            warn("with 0% this fault never happens", at: fault.mark, remedy: "leave it out, or say 1% to 100%")
        }
    }

    // MARK: - Signals

    private func checkSignals(_ scenarioCase: ScenarioCase) {
        var sent: [(name: String, mark: SourceMark?)] = [], awaited: [(name: String, mark: SourceMark?)] = []
        for (reply, mark) in scenarioCase.script.replies {
            sent += reply.timeline.signalsSent.map { ($0, mark) }
            awaited += reply.timeline.signalsAwaited.map { ($0, mark) }
        }
        for step in scenarioCase.client {
            for case .signal(let name) in step.when { awaited.append((name, step.mark)) }
            switch step.action {
            case .signal(let name): sent.append((name, step.mark))
            case .task(let task): awaited += task.pauseReading.map { [($0.until, step.mark)] } ?? []
            default: break
            }
        }
        for wait in awaited where !sent.contains(where: { $0.name == wait.name }) {
            // A file without a client is for a server.
            if scenarioCase.client.isEmpty {
                note("the signal '\(wait.name)' is awaited, and only a control interface sends it", at: wait.mark)
                continue
            }
            let nearest = Suggestion.nearest(to: wait.name, among: sent.map(\.name))
            let remedy = nearest.map { "did you mean '\($0)'?" } ?? "send it with 'signal: \(wait.name)'"
            error("the signal '\(wait.name)' is awaited and never sent", at: wait.mark, remedy: remedy)
        }
        for signal in sent where !awaited.contains(where: { $0.name == signal.name }) {
            warn("the signal '\(signal.name)' is sent and never awaited", at: signal.mark)
        }
    }
}

extension ScenarioCase {
    package var tasks: [TaskStep] {
        client.compactMap { step in
            if case .task(let task) = step.action { return task }
            return nil
        }
    }
}

extension Script {
    /// The answers that wait for what no answer of the script sends: only a scenario's own client does.
    package var waitsForClient: [(signal: String, mark: SourceMark?)] {
        let sent = Set(replies.flatMap { $0.0.timeline.signalsSent })
        return replies.flatMap { reply, mark in
            reply.timeline.signalsAwaited.filter { !sent.contains($0) }.map { ($0, mark) }
        }
    }

    fileprivate var faults: [Fault] {
        let ofConnections = steps.compactMap { step -> Fault? in
            if case .accept(let fault) = step.action { return fault }
            return nil
        }
        return ofConnections + exchanges.flatMap(\.0.allFaults) + (otherwise?.faults ?? [])
    }
}
