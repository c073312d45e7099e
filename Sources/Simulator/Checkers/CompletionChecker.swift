import ClientMachines

/// Every task completes exactly once, and nothing is told about it afterwards; the same for a whole session.
package struct CompletionChecker: Checker {
    package static let name: StaticString = "completion"

    private struct State {
        var isSuspended: Bool
        var hasRun: Bool
        var isComplete = false
        /// Begun on an invalid session, which says no more of it than that it is cancelled (BEHAVIOUR 1.H1-late).
        var isLate: Bool
        /// "For ever" is the only life that may outlast a world in which nothing is left to do.
        var mayLast: Bool
    }

    private var tasks = SessionTable<TaskKey, State>()
    private var invalidated: Set<Int> = []

    package init() {}

    package mutating func judgeRest(_ findings: inout Findings) {
        for key in tasks.keys {
            guard let state = tasks[key], !state.isComplete, !state.isSuspended, !state.mayLast else { continue }
            findings.add("the task was resumed and never completed, and nothing is left that could complete it", key)
        }
    }

    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {
        switch input {
        case .start(let task, let plan, let suspended):
            let key = TaskKey(session: session, task: task)
            if tasks[key] != nil { findings.add("a task identifier was used twice", key) }
            tasks[key] = State(
                isSuspended: suspended, hasRun: !suspended, isLate: invalidated.contains(session),
                mayLast: plan.resourceTimeout > .seconds(3_000_000_000))
        case .suspend(let task): tasks[TaskKey(session: session, task: task)]?.isSuspended = true
        case .resume(let task):
            let key = TaskKey(session: session, task: task)
            tasks[key]?.isSuspended = false
            tasks[key]?.hasRun = true
        default: return
        }
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        if invalidated.contains(session), !endsLateTask(output, session) {
            findings.add("an output after the session became invalid: \(Self.name(output))", session: session)
        }
        switch output {
        case .tell(let task, let call):
            let key = TaskKey(session: session, task: task)
            var isEnd = false
            if case .complete = call { isEnd = true }
            check(key, output, isEnd: isEnd, &findings)
            if isEnd { tasks[key]?.isComplete = true }
        case .ask(let task, _, _):
            check(TaskKey(session: session, task: task), output, isEnd: false, &findings)
        case .invalidated:
            invalidated.insert(session)
            for key in tasks.keys where key.session == session && tasks[key]?.isComplete == false {
                findings.add("the session became invalid before the task completed", key)
            }
        default: return
        }
    }

    private func endsLateTask(_ output: ClientOutput, _ session: Int) -> Bool {
        guard case .tell(let task, .complete) = output else { return false }
        return tasks[TaskKey(session: session, task: task)]?.isLate == true
    }

    private func check(_ key: TaskKey, _ output: ClientOutput, isEnd: Bool, _ findings: inout Findings) {
        guard let state = tasks[key] else {
            return findings.add("\(Self.name(output)) for a task that was never started", key)
        }
        if state.isComplete { findings.add("\(Self.name(output)) after the task's completion", key) }
        if !state.hasRun, !isEnd { findings.add("\(Self.name(output)) for a task that was never resumed", key) }
    }

    private static func name(_ output: ClientOutput) -> String {
        let line = JournalLine()
        line.output(output)
        return String(decoding: line.bytes.dropFirst(2), as: UTF8.self)
    }
}
