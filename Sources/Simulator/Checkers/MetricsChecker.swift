import ClientMachines
import HTTPBasics

/// Metrics are told once to each task that wants them, and say nothing impossible: one phase follows the other, and
/// nothing is looked up or opened for a connection that is used again.
package struct MetricsChecker: Checker {
    package static let name: StaticString = "metrics"

    private struct State {
        var isWanted: Bool
        var hasRun: Bool
        var wereTold = false
    }

    private var tasks = SessionTable<TaskKey, State>()
    private var invalid: Set<Int> = []

    package init() {}

    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {
        switch input {
        case .start(let task, let plan, let suspended):
            // What starts on an invalid session does not begin (BEHAVIOUR 2.G1-never).
            let isWanted = plan.metrics != .none && !invalid.contains(session)
            let state = State(isWanted: isWanted, hasRun: !suspended)
            tasks[TaskKey(session: session, task: task)] = state
        case .resume(let task): tasks[TaskKey(session: session, task: task)]?.hasRun = true
        case .invalidate: invalid.insert(session)
        default: return
        }
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        guard case .tell(let task, let call) = output else { return }
        let key = TaskKey(session: session, task: task)
        switch call {
        case .metrics(let metrics):
            if tasks[key]?.isWanted != true { findings.add("metrics that the delegate does not want", key) }
            if tasks[key]?.wereTold == true { findings.add("metrics are told twice", key) }
            tasks[key]?.wereTold = true
            check(metrics, key, &findings)
        case .complete:
            guard let state = tasks[key], state.isWanted, state.hasRun, !state.wereTold else { return }
            findings.add("a task that was resumed completes without metrics", key)
        default: return
        }
    }

    private func check(_ metrics: TaskMetrics, _ key: TaskKey, _ findings: inout Findings) {
        if metrics.end != findings.instant { findings.add("metrics end at another time than their task", key) }
        var last = Instant.zero
        for (number, transaction) in metrics.transactions.enumerated() {
            if let breach = Self.breach(of: transaction, from: last, to: metrics.end) {
                findings.add("transaction \(number): \(breach)", key)
            }
            last = transaction.fetchStart
        }
    }

    /// What cannot be, in words.
    private static func breach(of transaction: Transaction, from start: Instant, to end: Instant) -> String? {
        let (lookup, connect) = (transaction.lookup, transaction.connect)
        let way = [transaction.fetchStart, lookup?.start, lookup?.end, connect?.start, connect?.end]
        let sending = way + [transaction.sending?.start, transaction.sending?.end]
        // An answer may come before all of the request is out.
        let receiving = way + [transaction.sending?.start, transaction.receiving?.start, transaction.receiving?.end]
        for order in [sending, receiving] where !isSorted([start] + order.compactMap { $0 } + [end]) {
            return "its phases overlap or run backwards"
        }
        let isDialled = lookup != nil || connect != nil
        if transaction.carrier?.isReused == true, isDialled { return "a used connection was opened again" }
        if transaction.carrier == nil, transaction.sending != nil { return "a request was sent without a connection" }
        if transaction.carrier == nil, isOnWire(transaction) { return "bytes went over no connection" }
        if transaction.response != nil, transaction.receiving == nil { return "an answer without a byte" }
        let counts = [transaction.sent, transaction.received].flatMap { [$0.head, $0.body, $0.plainBody] }
        return counts.contains { $0 < 0 } ? "a negative number of bytes" : nil
    }

    private static func isOnWire(_ transaction: Transaction) -> Bool {
        transaction.sent != Transaction.Bytes() || transaction.received.head != 0 || transaction.received.body != 0
    }

    private static func isSorted(_ instants: [Instant]) -> Bool { zip(instants, instants.dropFirst()).allSatisfy(<=) }
}
