#if !canImport(Darwin)
import ClientMachines
import Foundation

/// What a delegate is asked, in one of the two forms of a method. `answer` may be called from any thread; the machine
/// takes the first answer and drops later ones.
protocol DelegateQuestion: Sendable {
    static var method: DelegateMethod { get }
    static var asyncMethod: DelegateMethod { get }

    var session: URLSession { get }

    /// Calls the form with a completion handler; false when the delegate lacks it.
    func ask(_ delegate: DelegateFaces) -> Bool

    /// Calls the asynchronous form and passes its answer on; false when the delegate lacks it.
    func askAsync(_ delegate: DelegateFaces) async -> Bool

    /// What happens when nobody has either.
    func answerByDefault()
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

struct ChallengeQuestion: TaskQuestion {
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

struct BodyStreamQuestion: TaskQuestion {
    static let method = DelegateMethod.bodyStream
    static let asyncMethod = DelegateMethod.bodyStreamAsync

    let session: URLSession
    let task: URLSessionTask
    let answer: @Sendable (InputStream?) -> Void

    func ask(_ delegate: DelegateFaces) -> Bool {
        guard let face = delegate.task else { return false }
        return delegate.call(Self.method) {
            face.urlSession(session, task: task, needNewBodyStream: answer)
        }
    }

    func askAsync(_ delegate: DelegateFaces) async -> Bool {
        guard let face = delegate.task else { return false }
        return await delegate.pass(Self.asyncMethod, to: answer) {
            await face.urlSession(session, needNewBodyStreamForTask: task)
        }
    }

    func answerByDefault() { answer(nil) }
}

struct DelayedRequestQuestion: TaskQuestion {
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

struct BodyStreamFromQuestion: TaskQuestion {
    static let method = DelegateMethod.bodyStreamFrom
    static let asyncMethod = DelegateMethod.bodyStreamFromAsync

    let session: URLSession
    let task: URLSessionTask
    let offset: Int64
    let answer: @Sendable (InputStream?) -> Void

    func ask(_ delegate: DelegateFaces) -> Bool {
        guard let face = delegate.task else { return false }
        return delegate.call(Self.method) {
            face.urlSession(session, task: task, needNewBodyStreamFrom: offset, completionHandler: answer)
        }
    }

    func askAsync(_ delegate: DelegateFaces) async -> Bool {
        guard let face = delegate.task else { return false }
        return await delegate.pass(Self.asyncMethod, to: answer) {
            await face.urlSession(session, needNewBodyStreamForTask: task, from: offset)
        }
    }

    func answerByDefault() { answer(nil) }
}

struct ResponseQuestion: TaskQuestion {
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

/// What concerns a connection rather than a task: forwarded by programs, never asked by the dispatcher.
struct SessionChallengeQuestion: DelegateQuestion {
    static let method = DelegateMethod.sessionChallenge
    static let asyncMethod = DelegateMethod.sessionChallengeAsync

    let session: URLSession
    let challenge: URLAuthenticationChallenge
    let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    func ask(_ delegate: DelegateFaces) -> Bool {
        delegate.call(Self.method) {
            delegate.session.urlSession(session, didReceive: challenge, completionHandler: answer)
        }
    }

    func askAsync(_ delegate: DelegateFaces) async -> Bool {
        await delegate.pass(Self.asyncMethod, to: { answer($0.0, $0.1) }) {
            await delegate.session.urlSession(session, didReceive: challenge)
        }
    }

    func answerByDefault() { answer(.performDefaultHandling, nil) }
}
#endif
