#if !canImport(Darwin)
import ClientMachines
import Foundation

/// A credential that answers a challenge, and the space that it may open.
struct GivenCredential: Sendable {
    let credential: URLCredential
    let space: URLProtectionSpace
}

/// On the delegate queue: challenges of servers, and the session's storage, which is looked at before anybody is asked
/// (BEHAVIOUR 2.A5).
extension DelegateDispatcher {
    func askChallenge(_ challenge: Challenge, _ id: QuestionID, _ task: URLSessionTask, _ session: URLSession) {
        let space = ChallengeBridge.space(of: challenge)
        guard let storage = session.credentialStorage else {
            return askChallenge(challenge, space, stored: nil, id, task, session)
        }
        if type(of: storage) == URLCredentialStorage.self {
            return askChallenge(challenge, space, stored: storage.defaultCredential(for: space), id, task, session)
        }
        storage.getDefaultCredential(for: space, task: task) { [weak self] stored in
            guard let self else { return }
            // A subclass answers from whatever thread.
            post(.job { self.askChallenge(challenge, space, stored: stored, id, task, session) })
        }
    }

    private func askChallenge(
        _ challenge: Challenge, _ space: URLProtectionSpace, stored: URLCredential?, _ id: QuestionID,
        _ task: URLSessionTask, _ session: URLSession
    ) {
        // The one of the URL was named by the caller for this very request.
        let ofURL = challenge.proposed.map {
            URLCredential(user: $0.user, password: $0.password, persistence: .forSession)
        }
        let isUsed = stored?.credential.map(challenge.tried.contains) ?? true
        let proposed = ofURL ?? (isUsed ? nil : stored)
        let asked = ChallengeBridge.urlChallenge(challenge, space, proposed)
        let question = ChallengeQuestion(session: session, task: task, challenge: asked) {
            [weak self] disposition, credential in
            let isDefault = disposition == .performDefaultHandling
            let chosen = isDefault ? proposed : disposition == .useCredential ? credential : nil
            // What the storage has, it need not be told.
            let given = chosen.flatMap { $0 === stored ? nil : GivenCredential(credential: $0, space: space) }
            task.shared.withLock { $0.given = given }
            let answer = ChallengeBridge.answer(isDefault && chosen != nil ? .useCredential : disposition, chosen)
            self?.submit(.answer(id, .challenge(answer)))
        }
        begin(question)
    }

    /// It has let the request in.
    func keepGivenCredential(of task: URLSessionTask, _ session: URLSession) {
        let given = task.shared.withLock { state in
            defer { state.given = nil }
            return state.given
        }
        guard let given, given.credential.persistence != .none else { return }
        session.credentialStorage?.setDefaultCredential(given.credential, for: given.space, task: task)
    }
}
#endif
