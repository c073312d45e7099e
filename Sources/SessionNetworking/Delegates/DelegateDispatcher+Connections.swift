#if !canImport(Darwin)
import ClientMachines
import Foundation

/// What a connection asks on behalf of a task that waits for it: whether the server is the right one, and who we are.
extension DelegateDispatcher {
    /// One form of a method of one delegate after another: what concerns a connection, then what concerns its task
    /// (BEHAVIOUR 2.A2); the task's own delegate before the session's (BEHAVIOUR 2.A8).
    private struct Forms: Sendable {
        let id: QuestionID
        /// What the machine has to hear where the task is over; nil if nothing.
        let unasked: UserAnswer?
        let delegate: DelegateFaces
        let ofSession: SessionChallengeQuestion
        let ofTask: ChallengeQuestion
    }

    func askConnection(
        _ challenge: ConnectionChallenge, _ id: QuestionID, _ task: URLSessionTask, _ session: URLSession
    ) {
        let trust = ChallengeBridge.trust(for: challenge, store: world.trustStore, clock: world.clock)
        let question = ChallengeBridge.urlChallenge(challenge, trust)
        let answer: @Sendable ((URLSession.AuthChallengeDisposition, URLCredential?)) -> Void = { [link] said in
            let answer = ChallengeBridge.answer(said.0, said.1, to: challenge, about: trust)
            link.submit(.answer(id, .connection(answer)))
        }
        askSessionWide(
            ChallengeQuestion(session: session, task: task, challenge: question, answer: answer), id,
            unasked: .connection(.unasked))
    }

    /// What concerns more than one task.
    func askSessionWide(_ ofTask: ChallengeQuestion, _ id: QuestionID, unasked: UserAnswer?) {
        let (session, task) = (ofTask.session, ofTask.task)
        let ofSession = SessionChallengeQuestion(
            session: session, challenge: ofTask.challenge, answer: ofTask.answer)
        let delegates = DelegateChoice(task: task.shared.withLock { $0.delegate }, session: sessionDelegate)
        let forms = delegates.map {
            Forms(id: id, unasked: unasked, delegate: $0, ofSession: ofSession, ofTask: ofTask)
        }
        if forms.isEmpty { ofTask.answerByDefault() } else { goOn(forms[...]) }
    }

    /// A task that has had its last message is not asked on behalf of.
    private func isOver(_ forms: Forms) -> Bool {
        guard forms.ofTask.isOver else { return false }
        if let unasked = forms.unasked { submit(.answer(forms.id, unasked)) }
        return true
    }

    private func goOn(_ forms: ArraySlice<Forms>) {
        guard let first = forms.first, !isOver(first) else { return }
        if isAnswered(first.ofSession, by: first.delegate) { return }
        runAsync { [self] in
            if await isAnsweredAsync(first.ofSession, by: first.delegate) { return }
            post(.job { self.goOnWithTask(first, forms.dropFirst()) })
        }
    }

    private func goOnWithTask(_ forms: Forms, _ rest: ArraySlice<Forms>) {
        if isOver(forms) || isAnswered(forms.ofTask, by: forms.delegate) { return }
        runAsync { [self] in
            if await isAnsweredAsync(forms.ofTask, by: forms.delegate) { return }
            if rest.isEmpty { return forms.ofTask.answerByDefault() }
            post(.job { self.goOn(rest) })
        }
    }

    private func isAnswered(_ question: some DelegateQuestion, by delegate: DelegateFaces) -> Bool {
        delegate.mayImplement(type(of: question).method) && question.ask(delegate)
    }

    private func isAnsweredAsync(_ question: some DelegateQuestion, by delegate: DelegateFaces) async -> Bool {
        guard delegate.mayImplement(type(of: question).asyncMethod) else { return false }
        return await question.askAsync(delegate)
    }
}
#endif
