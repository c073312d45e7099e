import Foundation
import Locks
import TestSupport
import Testing

@testable import SessionNetworking

/// BEHAVIOUR 1.B1-forwarded: a delegate that hands a question on reaches the form that the other object has.
@Suite(.endsInTime) struct DelegateForwardingTests {
    /// What programs call, in either form.
    enum Question: CaseIterable, Sendable {
        case redirect, challenge, bodyStream, bodyStreamFrom, delayedRequest, response, sessionChallenge
    }

    private let session = URLSession(configuration: .ephemeral)
    private let task = URLSessionDataTask()
    private let answers = Answers()

    /// One answer, for the test that waits for it.
    private final class Answers: Sendable {
        private let result = AsyncResult<String>()

        func give(_ text: String) { result.fulfil(.success(text)) }

        func first(after start: () -> Void) async -> String? { try? await result.value(after: start) }
    }

    private final class Neither: NSObject, URLSessionDataDelegate {}

    private static func text(_ stream: InputStream?) -> String {
        guard let stream else { return "none" }
        stream.open()
        defer { stream.close() }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = stream.read(&bytes, maxLength: bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private func challenge() -> URLAuthenticationChallenge {
        let space = URLProtectionSpace(host: "h", port: 80, protocol: nil, realm: nil, authenticationMethod: nil)
        return URLAuthenticationChallenge(
            space: space, proposed: nil, previousFailures: 0, response: Sample.publicResponse)
    }

    /// Asks in the form with a handler.
    private func ask(_ question: Question, _ delegate: any URLSessionDataDelegate) {
        let answers = self.answers, request = URLRequest(url: Sample.url)
        let answerChallenge: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
            answers.give("\($0.rawValue) \($1?.user ?? "none")")
        }
        switch question {
        case .redirect:
            delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: HTTPURLResponse(Sample.response(302)),
                newRequest: request, completionHandler: { answers.give($0?.url?.path ?? "none") })
        case .challenge:
            delegate.urlSession(
                session, task: task, didReceive: challenge(), completionHandler: answerChallenge)
        case .sessionChallenge:
            delegate.urlSession(session, didReceive: challenge(), completionHandler: answerChallenge)
        case .bodyStream:
            delegate.urlSession(session, task: task, needNewBodyStream: { answers.give(Self.text($0)) })
        case .bodyStreamFrom:
            delegate.urlSession(
                session, task: task, needNewBodyStreamFrom: 1, completionHandler: { answers.give(Self.text($0)) })
        case .delayedRequest:
            delegate.urlSession(
                session, task: task, willBeginDelayedRequest: request,
                completionHandler: { answers.give("\($0.rawValue) \($1?.url?.path ?? "none")") })
        case .response:
            delegate.urlSession(
                session, dataTask: task, didReceive: Sample.publicResponse,
                completionHandler: { answers.give("\($0.rawValue)") })
        }
    }

    /// Asks in the asynchronous form.
    private func answer(to question: Question, of delegate: any URLSessionDataDelegate) async -> String {
        let request = URLRequest(url: Sample.url)
        switch question {
        case .redirect:
            let next = await delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: HTTPURLResponse(Sample.response(302)),
                newRequest: request)
            return next?.url?.path ?? "none"
        case .challenge:
            let answer = await delegate.urlSession(session, task: task, didReceive: challenge())
            return "\(answer.0.rawValue) \(answer.1?.user ?? "none")"
        case .sessionChallenge:
            let answer = await delegate.urlSession(session, didReceive: challenge())
            return "\(answer.0.rawValue) \(answer.1?.user ?? "none")"
        case .bodyStream:
            return Self.text(await delegate.urlSession(session, needNewBodyStreamForTask: task))
        case .bodyStreamFrom:
            return Self.text(await delegate.urlSession(session, needNewBodyStreamForTask: task, from: 1))
        case .delayedRequest:
            let answer = await delegate.urlSession(session, task: task, willBeginDelayedRequest: request)
            return "\(answer.0.rawValue) \(answer.1?.url?.path ?? "none")"
        case .response:
            return "\(await delegate.urlSession(session, dataTask: task, didReceive: Sample.publicResponse).rawValue)"
        }
    }

    private static func given(_ question: Question) -> String {
        switch question {
        case .redirect: "/chosen"
        case .challenge, .sessionChallenge: "0 ann"
        case .bodyStream, .bodyStreamFrom: "again"
        case .delayedRequest: "1 /chosen"
        case .response: "2"
        }
    }

    private static func byDefault(_ question: Question) -> String {
        switch question {
        case .redirect: "/a"
        case .challenge, .sessionChallenge: "1 none"
        case .bodyStream, .bodyStreamFrom: "none"
        case .delayedRequest: "0 none"
        case .response: "1"
        }
    }

    // BEHAVIOUR 1.B1-forwarded
    @Test(arguments: Question.allCases)
    func `the form with a handler reaches the asynchronous one`(question: Question) async {
        #expect(await answers.first { ask(question, AsyncForms()) } == Self.given(question))
    }

    // BEHAVIOUR 1.B1-forwarded
    @Test(arguments: Question.allCases)
    func `the asynchronous form reaches the one with a handler`(question: Question) async {
        #expect(await answer(to: question, of: HandlerForms()) == Self.given(question))
    }

    // BEHAVIOUR 1.B1-forwarded
    @Test(arguments: Question.allCases)
    func `where neither is there, the default thing is done`(question: Question) async {
        #expect(await answers.first { ask(question, Neither()) } == Self.byDefault(question))
        #expect(await answer(to: question, of: Neither()) == Self.byDefault(question))
    }

    // BEHAVIOUR 1.B1-forwarded
    @Test func `each form reaches its own where that is there`() async {
        #expect(await answers.first { ask(.redirect, HandlerForms()) } == Self.given(.redirect))
        #expect(await answer(to: .redirect, of: AsyncForms()) == Self.given(.redirect))
    }

    // BEHAVIOUR 1.B1-forwarded
    @Test func `an object whose two forms call each other ends with the default`() async {
        final class Caller: NSObject, URLSessionDataDelegate {
            func urlSession(
                _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
                completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
            ) {
                let inner: any URLSessionDataDelegate = self
                Task { completionHandler(await inner.urlSession(session, dataTask: dataTask, didReceive: response)) }
            }
        }
        #expect(await answers.first { ask(.response, Caller()) } == Self.byDefault(.response))
    }

    // BEHAVIOUR 1.B1-forwarded
    @Test func `a session's question passes through a proxy of the other form`() {
        let world = FakeWorld()
        final class Proxy: NSObject, URLSessionTaskDelegate {
            let inner: any URLSessionTaskDelegate
            init(_ inner: any URLSessionTaskDelegate) { self.inner = inner }

            func urlSession(
                _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
                newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
            ) {
                inner.urlSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                    completionHandler: completionHandler)
            }
        }
        let session = world.makeSession(delegate: Proxy(AsyncForms()))
        let task = session.dataTask(with: Sample.url)
        task.resume()
        world.ask(task, 1, Sample.redirect)
        world.queue.runAll()
        #expect(world.engine.takeWords() == ["start 1", "answer 1 redirect /chosen"])
    }

    // MARK: - Objects that have one form each

    private final class AsyncForms: NSObject, URLSessionDataDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? { chosen }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.useCredential, credential) }

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.useCredential, credential) }

        func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream? {
            stream
        }

        func urlSession(
            _ session: URLSession, needNewBodyStreamForTask task: URLSessionTask, from offset: Int64
        ) async -> InputStream? { stream }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest
        ) async -> (URLSession.DelayedRequestDisposition, URLRequest?) { (.useNewRequest, chosen) }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
        ) async -> URLSession.ResponseDisposition { .becomeDownload }
    }

    private final class HandlerForms: NSObject, URLSessionDataDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) { completionHandler(chosen) }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) { completionHandler(.useCredential, credential) }

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) { completionHandler(.useCredential, credential) }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) { completionHandler(stream) }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
            completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) { completionHandler(stream) }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
        ) { completionHandler(.useNewRequest, chosen) }

        /// Twice, of which the first counts.
        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            completionHandler(.becomeDownload)
            completionHandler(.cancel)
        }
    }
}

private let chosen = URLRequest(url: Sample.url.deletingLastPathComponent().appendingPathComponent("chosen"))
private let credential = URLCredential(user: "ann", password: "s3cret", persistence: .none)
private var stream: InputStream { InputStream(data: Data("again".utf8)) }
