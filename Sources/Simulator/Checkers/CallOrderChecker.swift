import ClientMachines

/// Calls come in the documented order, and nothing is told about a task while its user is being asked.
package struct CallOrderChecker: Checker {
    package static let name: StaticString = "call order"

    private struct State {
        var isDownload: Bool
        var phase = CallPhase.starting
        var openQuestion: QuestionID?
        /// The user refused the response: only the completion may follow.
        var isRefused = false
        /// Its metrics were told: only the completion may follow.
        var isMeasured = false
    }

    private var tasks = SessionTable<TaskKey, State>()
    private var questions = SessionTable<QuestionKey, TaskID>()

    package init() {}

    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {
        switch input {
        case .start(let task, let plan, _):
            tasks[TaskKey(session: session, task: task)] = State(isDownload: plan.kind != .data)
        case .answer(let question, let answer): close(session, question, answer)
        default: return
        }
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        switch output {
        case .tell(let task, let call):
            let key = TaskKey(session: session, task: task)
            check(CallWord(call), key, &findings)
            if case .complete(nil) = call { checkSuccess(key, &findings) }
            advance(CallWord(call), key)
            if call == .becameDownload { tasks[key]?.isDownload = true }
        case .ask(let task, let question, let content):
            let key = TaskKey(session: session, task: task)
            check(CallWord(content), key, &findings)
            advance(CallWord(content), key)
            // A connection's question holds back nothing but that connection.
            if case .connection = content { break }
            tasks[key]?.openQuestion = question
            questions[QuestionKey(session: session, question: question)] = task
        default: return
        }
    }

    private mutating func close(_ session: Int, _ question: QuestionID, _ answer: UserAnswer) {
        guard let task = questions.remove(QuestionKey(session: session, question: question)) else {
            return
        }
        let key = TaskKey(session: session, task: task)
        guard tasks[key]?.openQuestion == question else { return }
        tasks[key]?.openQuestion = nil
        if answer == .response(allow: false) { tasks[key]?.isRefused = true }
    }

    private func check(_ word: CallWord, _ key: TaskKey, _ findings: inout Findings) {
        // What was never started or is over is the completion checker's business.
        guard let state = tasks[key], state.phase != .completed else { return }
        // A delegate that is still being asked is told of an end, nevertheless.
        if let question = state.openQuestion, word != .metrics, word != .complete {
            findings.add("\(word) while question \(question.value) is open", key)
        }
        if state.isMeasured, word != .complete { findings.add("\(word) after the metrics", key) }
        if state.isRefused, word != .metrics, word != .complete {
            findings.add("\(word) although the user refused the response", key)
        }
        let row = CallOrder.table[word.rawValue]
        let allowed = state.isDownload ? row.download : row.data
        if !allowed.contains(state.phase) {
            let kind = state.isDownload ? "download" : "data"
            findings.add("\(word) comes out of order in a \(kind) task that is \(Self.name(state.phase))", key)
        }
    }

    private func checkSuccess(_ key: TaskKey, _ findings: inout Findings) {
        guard let state = tasks[key] else { return }
        if state.isDownload, state.phase != .filed {
            findings.add("a download succeeded without a file", key)
        } else if state.phase == .starting {
            findings.add("a task succeeded without a response", key)
        } else if state.isRefused {
            findings.add("a task succeeded although the user refused the response", key)
        }
    }

    private mutating func advance(_ word: CallWord, _ key: TaskKey) {
        if word == .metrics { tasks[key]?.isMeasured = true }
        if let next = CallOrder.table[word.rawValue].next { tasks[key]?.phase = next }
    }

    private static func name(_ phase: CallPhase) -> String {
        switch phase {
        case .starting: return "starting"
        case .answered: return "answered"
        case .receiving: return "receiving"
        case .resumed: return "resumed"
        case .writing: return "writing"
        case .filed: return "filed"
        default: return "completed"
        }
    }
}
