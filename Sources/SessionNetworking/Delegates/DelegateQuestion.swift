#if !canImport(Darwin)
import ClientMachines
import Foundation

/// What a delegate is asked, in one of the two forms of a method: a kind of question says which methods these are, what
/// they are called with and what an answer is; how it is asked is the same for all of them.
///
/// The answer may come from any thread; the machine takes the first one and drops later ones.
protocol DelegateQuestion: Sendable {
    /// The protocol that has both forms.
    associatedtype Face: Sendable
    associatedtype Answer

    static var method: DelegateMethod { get }
    static var asyncMethod: DelegateMethod { get }

    /// Nil when the delegate has not adopted the protocol.
    static func face(of delegate: DelegateFaces) -> Face?

    var session: URLSession { get }

    /// Calls the form with a completion handler.
    func call(_ face: Face)

    /// Calls the asynchronous form.
    func callAsync(_ face: Face) async -> Answer

    /// Takes the answer to the object that asks.
    var answer: @Sendable (Answer) -> Void { get }

    /// What happens when no delegate has either form.
    var defaultAnswer: Answer { get }
}

extension DelegateQuestion {
    /// Asks in the form with a completion handler; false when the delegate lacks it.
    func ask(_ delegate: DelegateFaces) -> Bool {
        guard let face = Self.face(of: delegate) else { return false }
        return delegate.call(Self.method) { call(face) }
    }

    /// Asks in the asynchronous form and passes its answer on; false when the delegate lacks it.
    func askAsync(_ delegate: DelegateFaces) async -> Bool {
        guard let face = Self.face(of: delegate) else { return false }
        return await delegate.pass(Self.asyncMethod, to: answer) { await callAsync(face) }
    }

    func answerByDefault() { answer(defaultAnswer) }
}

extension DelegateQuestion where Face == any URLSessionTaskDelegate {
    static func face(of delegate: DelegateFaces) -> Face? { delegate.task }
}

/// A question about one task: what the dispatcher asks.
protocol TaskQuestion: DelegateQuestion {
    var task: URLSessionTask { get }
}

extension TaskQuestion {
    /// A task that was cancelled meanwhile has had its last message.
    var isOver: Bool { task.shared.withLock { $0.gate.isCompleted } }
}

struct RedirectQuestion: TaskQuestion {
    static let method = DelegateMethod.redirect
    static let asyncMethod = DelegateMethod.redirectAsync

    let session: URLSession
    let task: URLSessionTask
    let response: HTTPURLResponse
    let proposed: URLRequest
    let answer: @Sendable (URLRequest?) -> Void

    var defaultAnswer: URLRequest? { proposed }

    func call(_ face: any URLSessionTaskDelegate) {
        face.urlSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: proposed, completionHandler: answer)
    }

    func callAsync(_ face: any URLSessionTaskDelegate) async -> URLRequest? {
        await face.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: proposed)
    }
}

struct ChallengeQuestion: TaskQuestion {
    typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)

    static let method = DelegateMethod.challenge
    static let asyncMethod = DelegateMethod.challengeAsync

    let session: URLSession
    let task: URLSessionTask
    let challenge: URLAuthenticationChallenge
    /// Where nobody is asked.
    var byDefault = URLSession.AuthChallengeDisposition.performDefaultHandling
    let answer: @Sendable (Answer) -> Void

    var defaultAnswer: Answer { (byDefault, nil) }

    func call(_ face: any URLSessionTaskDelegate) {
        face.urlSession(session, task: task, didReceive: challenge) { answer(($0, $1)) }
    }

    func callAsync(_ face: any URLSessionTaskDelegate) async -> Answer {
        await face.urlSession(session, task: task, didReceive: challenge)
    }
}

struct BodyStreamQuestion: TaskQuestion {
    static let method = DelegateMethod.bodyStream
    static let asyncMethod = DelegateMethod.bodyStreamAsync

    let session: URLSession
    let task: URLSessionTask
    let answer: @Sendable (InputStream?) -> Void

    var defaultAnswer: InputStream? { nil }

    func call(_ face: any URLSessionTaskDelegate) {
        face.urlSession(session, task: task, needNewBodyStream: answer)
    }

    func callAsync(_ face: any URLSessionTaskDelegate) async -> InputStream? {
        await face.urlSession(session, needNewBodyStreamForTask: task)
    }
}

struct DelayedRequestQuestion: TaskQuestion {
    typealias Answer = (URLSession.DelayedRequestDisposition, URLRequest?)

    static let method = DelegateMethod.delayedRequest
    static let asyncMethod = DelegateMethod.delayedRequestAsync

    let session: URLSession
    let task: URLSessionTask
    let request: URLRequest
    let answer: @Sendable (Answer) -> Void

    var defaultAnswer: Answer { (.continueLoading, nil) }

    func call(_ face: any URLSessionTaskDelegate) {
        face.urlSession(session, task: task, willBeginDelayedRequest: request) { answer(($0, $1)) }
    }

    func callAsync(_ face: any URLSessionTaskDelegate) async -> Answer {
        await face.urlSession(session, task: task, willBeginDelayedRequest: request)
    }
}

struct BodyStreamFromQuestion: TaskQuestion {
    static let method = DelegateMethod.bodyStreamFrom
    static let asyncMethod = DelegateMethod.bodyStreamFromAsync

    let session: URLSession
    let task: URLSessionTask
    let offset: Int64
    let answer: @Sendable (InputStream?) -> Void

    var defaultAnswer: InputStream? { nil }

    func call(_ face: any URLSessionTaskDelegate) {
        face.urlSession(session, task: task, needNewBodyStreamFrom: offset, completionHandler: answer)
    }

    func callAsync(_ face: any URLSessionTaskDelegate) async -> InputStream? {
        await face.urlSession(session, needNewBodyStreamForTask: task, from: offset)
    }
}

struct ResponseQuestion: TaskQuestion {
    static let method = DelegateMethod.response
    static let asyncMethod = DelegateMethod.responseAsync

    static func face(of delegate: DelegateFaces) -> (any URLSessionDataDelegate)? { delegate.data }

    let session: URLSession
    let dataTask: URLSessionDataTask
    let response: URLResponse
    let answer: @Sendable (URLSession.ResponseDisposition) -> Void

    var task: URLSessionTask { dataTask }
    var defaultAnswer: URLSession.ResponseDisposition { .allow }

    func call(_ face: any URLSessionDataDelegate) {
        face.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: answer)
    }

    func callAsync(_ face: any URLSessionDataDelegate) async -> URLSession.ResponseDisposition {
        await face.urlSession(session, dataTask: dataTask, didReceive: response)
    }
}

struct WillCacheQuestion: TaskQuestion {
    static let method = DelegateMethod.willCache
    static let asyncMethod = DelegateMethod.willCacheAsync

    static func face(of delegate: DelegateFaces) -> (any URLSessionDataDelegate)? { delegate.data }

    let session: URLSession
    let dataTask: URLSessionDataTask
    let proposed: CachedURLResponse
    let answer: @Sendable (CachedURLResponse?) -> Void

    var task: URLSessionTask { dataTask }
    var defaultAnswer: CachedURLResponse? { proposed }

    func call(_ face: any URLSessionDataDelegate) {
        face.urlSession(
            session, dataTask: dataTask, willCacheResponse: proposed, completionHandler: answer)
    }

    func callAsync(_ face: any URLSessionDataDelegate) async -> CachedURLResponse? {
        await face.urlSession(session, dataTask: dataTask, willCacheResponse: proposed)
    }
}

/// What concerns a connection rather than a task: forwarded by programs, never asked by the dispatcher.
struct SessionChallengeQuestion: DelegateQuestion {
    typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)

    static let method = DelegateMethod.sessionChallenge
    static let asyncMethod = DelegateMethod.sessionChallengeAsync

    static func face(of delegate: DelegateFaces) -> (any URLSessionDelegate)? { delegate.session }

    let session: URLSession
    let challenge: URLAuthenticationChallenge
    let answer: @Sendable (Answer) -> Void

    var defaultAnswer: Answer { (.performDefaultHandling, nil) }

    func call(_ face: any URLSessionDelegate) {
        face.urlSession(session, didReceive: challenge) { answer(($0, $1)) }
    }

    func callAsync(_ face: any URLSessionDelegate) async -> Answer {
        await face.urlSession(session, didReceive: challenge)
    }
}
#endif
