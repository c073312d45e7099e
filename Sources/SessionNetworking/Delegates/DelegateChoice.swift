#if !canImport(Darwin)
import ClientMachines
import Foundation

/// Who is asked or told, in which order: the task's delegate, then the session's, method by method (BEHAVIOUR 1.B1-6).
struct DelegateChoice: Sequence, IteratorProtocol {
    private var task: DelegateFaces?
    private var session: DelegateFaces?

    init(task: DelegateFaces?, session: DelegateFaces?) {
        self.task = task
        self.session = session
    }

    /// Those that may implement the method.
    func able(to method: DelegateMethod) -> DelegateChoice {
        DelegateChoice(
            task: task?.mayImplement(method) == true ? task : nil,
            session: session?.mayImplement(method) == true ? session : nil)
    }

    var isEmpty: Bool { task == nil && session == nil }

    mutating func next() -> DelegateFaces? {
        if let task {
            self.task = nil
            return task
        }
        defer { session = nil }
        return session
    }

    /// Whether the task's own delegate may have a say about connections.
    var taskMayDecideTrust: Bool {
        guard let task else { return false }
        return task.mayImplement(.sessionChallenge) || task.mayImplement(.sessionChallengeAsync)
            || task.mayImplement(.challenge) || task.mayImplement(.challengeAsync)
    }

    /// The questions that a delegate may answer; all others need no round trip.
    ///
    /// Tasks with a completion handler or an asynchronous caller pass over the response and data methods, but redirects
    /// and challenges still go to a delegate (BEHAVIOUR 1.B1-12).
    func questions(endpoint: Endpoint, isDownload: Bool, isDelayed: Bool = false) -> QuestionKinds {
        // Sets made from literals would not be specialised across modules.
        var kinds = QuestionKinds(rawValue: 0)
        guard !isEmpty else { return kinds }
        let methods = DelegateMethods(rawValue: (task?.methods.rawValue ?? 0) | (session?.methods.rawValue ?? 0))
        let isAsked = { (method: DelegateMethod, asyncMethod: DelegateMethod) in
            methods.contains(DelegateMethods(method)) || methods.contains(DelegateMethods(asyncMethod))
        }
        if isAsked(.redirect, .redirectAsync) { kinds.insert(.redirect) }
        let isAskedByTask = isAsked(.challenge, .challengeAsync)
        if isAskedByTask { kinds.insert(.challenge) }
        if isAskedByTask || isAsked(.sessionChallenge, .sessionChallengeAsync) { kinds.insert(.connection) }
        if isAsked(.bodyStream, .bodyStreamAsync) { kinds.insert(.bodyStream) }
        if isDelayed, isAsked(.delayedRequest, .delayedRequestAsync) { kinds.insert(.delayedRequest) }
        if isAsked(.bodyStreamFrom, .bodyStreamFromAsync) { kinds.insert(.bodyStreamFrom) }
        if case .delegate = endpoint, !isDownload, isAsked(.response, .responseAsync) { kinds.insert(.response) }
        if case .delegate = endpoint, !isDownload, isAsked(.willCache, .willCacheAsync) { kinds.insert(.willCache) }
        return kinds
    }
}
#endif
