#if !canImport(Darwin)
import ClientMachines
import Foundation

/// What a delegate is asked, in one of the two forms of a method. `answer` may be called from any thread; the machine
/// takes the first answer and drops later ones.
protocol DelegateQuestion: Sendable {
    static var method: DelegateMethod { get }
    static var asyncMethod: DelegateMethod { get }

    var task: URLSessionTask { get }

    /// Calls the form with a completion handler; false when the delegate lacks it.
    func ask(_ delegate: DelegateFaces) -> Bool

    /// Calls the asynchronous form and passes its answer on; false when the delegate lacks it.
    func askAsync(_ delegate: DelegateFaces) async -> Bool

    /// What happens when nobody has either.
    func answerByDefault()
}

extension DelegateQuestion {
    /// A task that was cancelled meanwhile has had its last message.
    var isOver: Bool { task.shared.withLock { $0.gate.isCompleted } }
}

struct RedirectQuestion: DelegateQuestion {
    static let method = DelegateMethod.redirect
    static let asyncMethod = DelegateMethod.redirectAsync

    let session: URLSession
    let task: URLSessionTask
    let response: HTTPURLResponse
    let proposed: URLRequest
    let answer: @Sendable (URLRequest?) -> Void

    func ask(_ delegate: DelegateFaces) -> Bool {
        guard let face = delegate.task else { return false }
        return delegate.call(Self.method) {
            face.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: proposed,
                completionHandler: answer)
        }
    }

    func askAsync(_ delegate: DelegateFaces) async -> Bool {
        guard let face = delegate.task else { return false }
        return await delegate.pass(Self.asyncMethod, to: answer) {
            await face.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: proposed)
        }
    }

    func answerByDefault() { answer(proposed) }
}

struct ChallengeQuestion: DelegateQuestion {
    static let method = DelegateMethod.challenge
    static let asyncMethod = DelegateMethod.challengeAsync

    let session: URLSession
    let task: URLSessionTask
    let challenge: URLAuthenticationChallenge
    let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    func ask(_ delegate: DelegateFaces) -> Bool {
        guard let face = delegate.task else { return false }
        return delegate.call(Self.method) {
            face.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
        }
    }

    func askAsync(_ delegate: DelegateFaces) async -> Bool {
        guard let face = delegate.task else { return false }
        return await delegate.pass(Self.asyncMethod, to: { answer($0.0, $0.1) }) {
            await face.urlSession(session, task: task, didReceive: challenge)
        }
    }

    func answerByDefault() { answer(.performDefaultHandling, nil) }
}

struct BodyStreamQuestion: DelegateQuestion {
    static let method = DelegateMethod.bodyStream
    static let asyncMethod = DelegateMethod.bodyStreamAsync

    let session: URLSession
    let task: URLSessionTask
    let answer: @Sendable (RequestBody?) -> Void

    func ask(_ delegate: DelegateFaces) -> Bool {
        guard let face = delegate.task else { return false }
        return delegate.call(Self.method) {
            face.urlSession(
                session, task: task,
                needNewBodyStream: { [task, answer] in answer($0.flatMap { task.body(from: $0) }) })
        }
    }

    func askAsync(_ delegate: DelegateFaces) async -> Bool {
        guard let face = delegate.task else { return false }
        return await delegate.pass(Self.asyncMethod, to: answer) {
            await face.urlSession(session, needNewBodyStreamForTask: task).flatMap { task.body(from: $0) }
        }
    }

    func answerByDefault() { answer(nil) }
}

struct DelayedRequestQuestion: DelegateQuestion {
    static let method = DelegateMethod.delayedRequest
    static let asyncMethod = DelegateMethod.delayedRequestAsync

    let session: URLSession
    let task: URLSessionTask
    let request: URLRequest
    let answer: @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void

    func ask(_ delegate: DelegateFaces) -> Bool {
        guard let face = delegate.task else { return false }
        return delegate.call(Self.method) {
            face.urlSession(session, task: task, willBeginDelayedRequest: request, completionHandler: answer)
        }
    }

    func askAsync(_ delegate: DelegateFaces) async -> Bool {
        guard let face = delegate.task else { return false }
        return await delegate.pass(Self.asyncMethod, to: { answer($0.0, $0.1) }) {
            await face.urlSession(session, task: task, willBeginDelayedRequest: request)
        }
    }

    func answerByDefault() { answer(.continueLoading, nil) }
}

struct BodyStreamFromQuestion: DelegateQuestion {
    static let method = DelegateMethod.bodyStreamFrom
    static let asyncMethod = DelegateMethod.bodyStreamFromAsync

    let session: URLSession
    let task: URLSessionTask
    let offset: Int64
    let answer: @Sendable (RequestBody?) -> Void

    func ask(_ delegate: DelegateFaces) -> Bool {
        guard let face = delegate.task else { return false }
        return delegate.call(Self.method) {
            face.urlSession(session, task: task, needNewBodyStreamFrom: offset) { [task, answer] stream in
                answer(stream.flatMap { task.body(from: $0) })
            }
        }
    }

    func askAsync(_ delegate: DelegateFaces) async -> Bool {
        guard let face = delegate.task else { return false }
        return await delegate.pass(Self.asyncMethod, to: answer) {
            await face.urlSession(session, needNewBodyStreamForTask: task, from: offset)
                .flatMap { task.body(from: $0) }
        }
    }

    func answerByDefault() { answer(nil) }
}

struct ResponseQuestion: DelegateQuestion {
    static let method = DelegateMethod.response
    static let asyncMethod = DelegateMethod.responseAsync

    let session: URLSession
    let dataTask: URLSessionDataTask
    let response: URLResponse
    let answer: @Sendable (URLSession.ResponseDisposition) -> Void

    var task: URLSessionTask { dataTask }

    func ask(_ delegate: DelegateFaces) -> Bool {
        guard let face = delegate.data else { return false }
        return delegate.call(Self.method) {
            face.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: answer)
        }
    }

    func askAsync(_ delegate: DelegateFaces) async -> Bool {
        guard let face = delegate.data else { return false }
        return await delegate.pass(Self.asyncMethod, to: answer) {
            await face.urlSession(session, dataTask: dataTask, didReceive: response)
        }
    }

    func answerByDefault() { answer(.allow) }
}
#endif
