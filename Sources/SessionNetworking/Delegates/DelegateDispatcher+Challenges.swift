#if !canImport(Darwin)
import ClientMachines
import Foundation

/// A credential that answers a challenge, and the space that it may open.
struct GivenCredential: Sendable {
    let credential: URLCredential
    let space: URLProtectionSpace
    /// The storage's, when it was given.
    let generation: Int
}

/// What a task's challenges were answered with.
struct AnsweredChallenges: Sendable {
    /// The credential that was given last to its server, and to its proxy, while it is not known whether it is good;
    /// none whose persistence is `none`.
    private var forServer: GivenCredential?
    /// Likewise.
    private var forProxy: GivenCredential?
    /// It is known, and the storage is being told on the delegate queue.
    private(set) var isKept = false
    private var last: QuestionID?

    var isEmpty: Bool { forServer == nil && forProxy == nil }

    /// The first answer to a question counts, as the machine has it.
    ///
    /// - Parameter given: Afterwards what was given before, to be let go of outside of a lock.
    mutating func answer(_ question: QuestionID, to admission: Admission, with given: inout GivenCredential?) {
        if let last, last.value >= question.value { return }
        last = question
        swap(&self[admission], &given)
    }

    mutating func takeGiven(to admission: Admission) -> GivenCredential? {
        let taken = self[admission]
        self[admission] = nil
        if taken != nil { isKept = true }
        return taken
    }

    /// Nothing is known any more; what was there is returned, to be let go of outside of a lock.
    mutating func takeAll() -> [GivenCredential?] {
        guard !isEmpty else { return [] }
        defer { (forServer, forProxy) = (nil, nil) }
        return [forServer, forProxy]
    }

    private subscript(admission: Admission) -> GivenCredential? {
        _read { if admission == .server { yield forServer } else { yield forProxy } }
        _modify { if admission == .server { yield &forServer } else { yield &forProxy } }
    }
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
        let untried = stored.flatMap { stored in
            stored.credential.map(challenge.rulesOut) ?? true ? nil : stored
        }
        // What a server has put into a redirect is second to what the user has (BEHAVIOUR 2.A19-redirect).
        let proposed = challenge.isProposedByRedirect ? untried ?? ofURL : ofURL ?? untried
        let admission = challenge.proxy == nil ? Admission.server : .proxy
        let generation = session.credentialStorage?.generation ?? 0
        let asked = ChallengeBridge.urlChallenge(challenge, space, proposed)
        // Where nobody is asked and nothing is known of this space, the next one has its turn (BEHAVIOUR 2.A13-next).
        let byDefault: URLSession.AuthChallengeDisposition =
            proposed == nil ? .rejectProtectionSpace : .performDefaultHandling
        let question = ChallengeQuestion(session: session, task: task, challenge: asked, byDefault: byDefault) {
            [link] disposition, credential in
            let isDefault = disposition == .performDefaultHandling
            let chosen = isDefault ? proposed : disposition == .useCredential ? credential : nil
            // What the storage has, it need not be told.
            var given = chosen.flatMap { credential in
                credential === stored || credential.persistence == .none
                    ? nil : GivenCredential(credential: credential, space: space, generation: generation)
            }
            task.shared.withLock { $0.challenges.answer(id, to: admission, with: &given) }
            let answer = ChallengeBridge.answer(isDefault && chosen != nil ? .useCredential : disposition, chosen)
            link.submit(.answer(id, .challenge(answer)))
        }
        // Who is signed in on a connection is the session's business (BEHAVIOUR 2.A1-ntlm).
        if challenge.isOfSession { askSessionWide(question, id, unasked: nil) } else { begin(question) }
    }

    /// On the engine's thread: its server or proxy has let it in. The storage is told on the delegate queue, before the
    /// task's completion.
    func keepGivenCredential(of task: URLSessionTask, to admission: Admission) {
        guard let storage = task.session?.credentialStorage,
            let given = task.shared.withLock({ $0.challenges.takeGiven(to: admission) })
        else { return }
        leave(
            .job {
                // A reset came between.
                guard given.generation == storage.generation else { return }
                storage.setDefaultCredential(given.credential, for: given.space, task: task)
            })
    }
}
#endif
