import Foundation
import HTTPBasics
import Judge
import ScenarioFormat

/// What every recording delegate does with a call, whichever methods it has.
class LaneDelegate: NSObject, @unchecked Sendable {
    // Safety: immutable; the player is confined to the queue that delegate methods run on.
    let player: ClientLanePlayer

    init(_ player: ClientLanePlayer) { self.player = player }

    /// The delegate that the session knows, on whose behalf it is called.
    var front: LaneDelegate? { self }

    /// Asynchronous questions come from wherever Swift runs them.
    var answersAsynchronously: Bool { false }

    func label(_ task: URLSessionTask) -> String { player.labels.label(of: task) }

    func redirect(
        _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
        _ reply: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let player = player
        player.heard(.redirect, task, by: self) { event in
            event.describe(response, for: player)
            event.to = request.url.map { "\(request.httpMethod ?? "GET") \(player.origins.scenarioText(of: $0))" }
        }
        let label = label(task)
        player.asked(.redirect, label) { answer in
            let next = player.redirected(answer, proposed: request)
            player.goes(on: label, with: next)
            reply(next)
        }
    }

    func challenge(
        _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge,
        _ reply: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        player.checkCaller(.challenge, label(task), self)
        self.challenge(.task, label(task), task, challenge, reply)
    }

    /// The session-level method does not say which task waits: by the lane it is the first that is not complete.
    func challenge(
        _ challenge: URLAuthenticationChallenge,
        _ reply: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let label = player.oldestOpenTask else { return reply(.cancelAuthenticationChallenge, nil) }
        player.checkCaller(.challenge, label, self)
        self.challenge(.session, label, nil, challenge, reply)
    }

    private func challenge(
        _ level: ChallengeLevel, _ label: String, _ task: URLSessionTask?, _ challenge: URLAuthenticationChallenge,
        _ reply: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace, method = Self.method(of: space)
        player.told(.challenge, label, task) { event in
            event.realm = space.realm
            event.level = level
            event.previousFailures = challenge.previousFailureCount
            event.isOfProxy = space.isProxy()
            event.method = method?.rawValue ?? space.authenticationMethod
            event.status = (challenge.failureResponse as? HTTPURLResponse)?.statusCode
        }
        if let task { player.check(challenge, of: task) }
        player.asked(.challenge, label, method: method, isOfProxy: space.isProxy()) { answer in
            let (disposition, credential) = ClientLanePlayer.disposition(answer, to: challenge)
            reply(disposition, credential)
        }
    }

    /// By their values: FoundationNetworking has two of the constants marked as unavailable.
    private static func method(of space: URLProtectionSpace) -> ChallengeMethod? {
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodHTTPBasic: .basic
        case NSURLAuthenticationMethodHTTPDigest: .digest
        case "NSURLAuthenticationMethodNTLM": .ntlm
        case "NSURLAuthenticationMethodNegotiate": .negotiate
        case "NSURLAuthenticationMethodServerTrust": .serverTrust
        case "NSURLAuthenticationMethodClientCertificate": .clientCertificate
        default: nil
        }
    }

    func needStream(_ task: URLSessionTask, _ reply: @escaping @Sendable (InputStream?) -> Void) {
        player.heard(.needStream, task, by: self)
        player.asked(.needStream, label(task)) { answer in
            guard case .stream(let content?) = answer else { return reply(nil) }
            reply(InputStream(data: LaneRequest.data(content)))
        }
    }

    func delayed(
        _ task: URLSessionTask, _ request: URLRequest,
        _ reply: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        let player = player
        player.heard(.delayedRequest, task, by: self) { event in
            event.to = request.url.map { "\(request.httpMethod ?? "GET") \(player.origins.scenarioText(of: $0))" }
        }
        let label = label(task)
        player.asked(.delayedRequest, label) { answer in
            switch answer {
            case .cancelDelayed: reply(.cancel, nil)
            case .rewrite:
                let next = player.redirected(answer, proposed: request)
                player.goes(on: label, with: next)
                reply(.useNewRequest, next)
            default: reply(.continueLoading, nil)
            }
        }
    }

    /// The stream begins where the server's part of the body ends.
    func needStream(_ task: URLSessionTask, from offset: Int64, _ reply: @escaping @Sendable (InputStream?) -> Void) {
        player.heard(.needStream, task, by: self) { $0.offset = Int(clamping: offset) }
        player.asked(.needStream, label(task)) { answer in
            guard case .stream(let content?) = answer else { return reply(nil) }
            reply(InputStream(data: Data(LaneRequest.data(content).dropFirst(Int(clamping: offset)))))
        }
    }

    func sent(_ task: URLSessionTask, _ bytes: Int64, _ total: Int64, _ expected: Int64) {
        player.heard(.sent, task, by: self) { event in
            event.bytes = Int(clamping: bytes)
            event.total = Int(clamping: total)
            event.expected = Int(clamping: expected)
        }
    }

    func measured(_ task: URLSessionTask, _ metrics: URLSessionTaskMetrics) {
        player.heard(.metrics, task, by: self) { $0.metrics = SeenMetrics(metrics, for: player) }
        player.check(metrics, of: task)
    }

    func response(
        _ task: URLSessionDataTask, _ response: URLResponse,
        _ reply: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let player = player
        player.watched[label(task)]?.response = response
        player.checkValue(response)
        player.heard(.response, task, by: self) { event in
            event.describe(response, for: player)
            event.method = task.currentRequest?.httpMethod
        }
        player.asked(.response, label(task)) { answer in
            switch answer {
            case .cancelResponse: reply(.cancel)
            case .becomeDownload: reply(LaneSession.becomeDownload)
            default: reply(.allow)
            }
        }
    }

    func willCache(
        _ task: URLSessionDataTask, _ proposed: CachedURLResponse,
        _ reply: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        player.heard(.willCache, task, by: self) { event in
            event.status = (proposed.response as? HTTPURLResponse)?.statusCode
            event.total = proposed.data.count
        }
        player.asked(.willCache, label(task)) { answer in
            switch answer {
            case .drop: reply(nil)
            case .keepOther(let content):
                reply(CachedURLResponse(response: proposed.response, data: LaneRequest.data(content)))
            default: reply(proposed)
            }
        }
    }

    func file(_ task: URLSessionTask, _ location: URL) {
        // The file goes when this method returns.
        let content = SeenContent(file: location)
        player.journal.update(label(task)) { $0.body = content ?? SeenContent() }
        player.heard(.file, task, by: self) { $0.content = content }
        player.lent(location, to: label(task))
    }

    func wrote(_ task: URLSessionTask, _ bytes: Int64, _ total: Int64, _ expected: Int64) {
        player.heard(.wrote, task, by: self) { event in
            event.bytes = Int(clamping: bytes)
            event.total = Int(clamping: total)
            event.expected = Int(clamping: expected)
        }
    }

    func resumed(_ task: URLSessionTask, at offset: Int64, _ expected: Int64) {
        player.heard(.resumed, task, by: self) { event in
            event.offset = Int(clamping: offset)
            event.expected = Int(clamping: expected)
        }
    }

    func waiting(_ task: URLSessionTask) { player.heard(.waiting, task, by: self) }

    func informational(_ task: URLSessionTask, _ response: HTTPURLResponse) {
        let player = player
        player.heard(.informational, task, by: self) { $0.describe(response, for: player) }
    }

    func created(_ task: URLSessionTask) {
        player.made(task, label(task))
        player.heard(.created, task, by: self)
    }

    func completed(_ task: URLSessionTask, _ error: (any Error)?) {
        player.checkCaller(.complete, label(task), self)
        player.completed(label(task), error, task.response)
    }
}

/// The delegate of most cases: every method but the one about metrics, whose presence alone changes how a task goes.
final class RecordingDelegate: RecordingMethods, ToldDelegate, @unchecked Sendable {
    // Safety: adds no state.
}

/// For cases that speak of metrics.
final class MeasuringDelegate: RecordingMethods, ToldDelegate, @unchecked Sendable {
    // Safety: adds no state.

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        measured(task, metrics)
    }
}

/// Answers each question by the lane's rules.
class RecordingMethods: QuestionMethods, @unchecked Sendable {
    // Safety: adds no state.

    override func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) { created(task) }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self.response(dataTask, response, completionHandler)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        willCache(dataTask, proposedResponse, completionHandler)
    }
}
