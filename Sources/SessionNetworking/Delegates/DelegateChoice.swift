#if !canImport(Darwin)
import ClientMachines
import Foundation

/// Who is asked or told, in which order: the task's delegate, then the session's, method by method (BEHAVIOUR 1.B1-6).
enum DelegateChoice {
    /// Delegates that may implement the method, first choice first.
    static func candidates(_ method: DelegateMethod, task: DelegateFaces?, session: DelegateFaces?) -> [DelegateFaces] {
        [task, session].compactMap { faces in
            guard let faces, faces.mayImplement(method) else { return nil }
            return faces
        }
    }

    /// The questions that somebody may answer; all others need no round trip.
    ///
    /// Tasks with a completion handler or an asynchronous caller pass over the response and data methods, but redirects
    /// and challenges still go to a delegate (BEHAVIOUR 1.B1-12).
    static func questions(endpoint: Endpoint, isDownload: Bool, task: DelegateFaces?, session: DelegateFaces?)
        -> QuestionKinds
    {
        var kinds: QuestionKinds = []
        let isAsked = { (methods: DelegateMethod...) in
            methods.contains { !candidates($0, task: task, session: session).isEmpty }
        }
        if isAsked(.redirect, .redirectAsync) { kinds.insert(.redirect) }
        if isAsked(.challenge, .challengeAsync) { kinds.insert(.challenge) }
        if isAsked(.bodyStream, .bodyStreamAsync) { kinds.insert(.bodyStream) }
        if case .delegate = endpoint, !isDownload, isAsked(.response, .responseAsync) { kinds.insert(.response) }
        return kinds
    }
}
#endif
