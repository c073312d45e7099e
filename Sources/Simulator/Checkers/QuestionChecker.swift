import ClientMachines
import HTTPBasics

/// Every question is asked of someone who answers it, has a number of its own, and is answered at most once.
package struct QuestionChecker: Checker {
    package static let name: StaticString = "question"

    private struct State {
        var kind: QuestionKinds
        var isAnswered = false
    }

    private var asks = SessionTable<TaskKey, QuestionKinds>()
    private var questions = SessionTable<QuestionKey, State>()

    package init() {}

    package mutating func note(_ input: ClientInput, _ session: Int, _ findings: inout Findings) {
        switch input {
        case .start(let task, let plan, _): asks[TaskKey(session: session, task: task)] = plan.asks
        case .answer(let question, let answer): note(answer, to: question, session, &findings)
        default: return
        }
    }

    package mutating func note(_ output: ClientOutput, _ session: Int, _ findings: inout Findings) {
        guard case .ask(let task, let question, let content) = output else { return }
        let key = TaskKey(session: session, task: task)
        let number = QuestionKey(session: session, question: question)
        if questions[number] != nil { findings.add("question \(question.value) was asked twice", key) }
        if !content.isForEverybody, let kinds = asks[key], !kinds.contains(content.kind) {
            findings.add("the user was asked \(CallWord(content)) without a method for it", key)
        }
        // The rest of a stream is answered as a whole one is.
        questions[number] = State(kind: content.kind == .bodyStreamFrom ? .bodyStream : content.kind)
    }

    private mutating func note(
        _ answer: UserAnswer, to question: QuestionID, _ session: Int, _ findings: inout Findings
    ) {
        let number = QuestionKey(session: session, question: question)
        guard let state = questions[number] else {
            return findings.add("an answer to question \(question.value), which was never asked", session: session)
        }
        if state.isAnswered { findings.add("question \(question.value) was answered twice", session: session) }
        if state.kind != answer.kind {
            findings.add("question \(question.value) got the answer to another kind of question", session: session)
        }
        questions[number] = State(kind: state.kind, isAnswered: true)
    }
}

extension UserAnswer {
    /// The kind of question that this answers.
    var kind: QuestionKinds {
        switch self {
        case .redirect: return .redirect
        case .challenge: return .challenge
        case .response, .becomeDownload: return .response
        case .body: return .bodyStream
        case .delayedRequest: return .delayedRequest
        case .loadChallenge: return .loadChallenge
        case .connection: return .connection
        case .cookies: return .cookies
        case .kept: return .kept
        case .willCache: return .willCache
        }
    }
}

extension UserQuestion {
    /// Put also where no method answers it: about cookies and kept responses, and about a host in other letters than
    /// the DNS's, which has them in the form that a user would see (BEHAVIOUR 2.B1-idna).
    fileprivate var isForEverybody: Bool {
        switch self {
        case .cookies, .kept: true
        case .redirect(_, let next): next.url.host.map { !$0.utf8.isASCII } ?? false
        default: false
        }
    }
}
