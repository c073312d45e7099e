import ClientMachines

/// Every question is asked of someone who answers it, has a number of its own, and is answered at most once.
package final class QuestionChecker: Checker {
    package static let name = "question"

    private struct State {
        var kind: QuestionKinds
        var isAnswered = false
    }

    private var asks: [TaskKey: QuestionKinds] = [:]
    private var questions: [Int: [QuestionID: State]] = [:]

    package init() {}

    package func observe(_ observation: Observation, _ findings: inout Findings) {
        switch observation {
        case .clientInput(let session, .start(let task, let plan, _)):
            asks[TaskKey(session: session, task: task)] = plan.asks
        case .clientInput(let session, .answer(let question, let answer)):
            note(answer, to: question, session, &findings)
        case .clientOutput(let session, .ask(let task, let question, let content)):
            let key = TaskKey(session: session, task: task)
            if questions[session]?[question] != nil { findings.add("question \(question.value) was asked twice", key) }
            if let kinds = asks[key], !kinds.contains(content.kind) {
                findings.add("the user was asked \(CallWord(content)), which nobody answers", key)
            }
            questions[session, default: [:]][question] = State(kind: content.kind)
        default: return
        }
    }

    private func note(_ answer: UserAnswer, to question: QuestionID, _ session: Int, _ findings: inout Findings) {
        guard let state = questions[session]?[question] else {
            return findings.add("an answer to question \(question.value), which was never asked", session: session)
        }
        if state.isAnswered { findings.add("question \(question.value) was answered twice", session: session) }
        if state.kind != answer.kind {
            findings.add("question \(question.value) got the answer to another kind of question", session: session)
        }
        questions[session]?[question]?.isAnswered = true
    }
}

extension UserAnswer {
    /// The kind of question that this answers.
    var kind: QuestionKinds {
        switch self {
        case .redirect: return .redirect
        case .challenge: return .challenge
        case .response: return .response
        case .bodyStream: return .bodyStream
        }
    }
}
