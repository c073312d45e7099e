import Foundation
import HTTPBasics
import Judge
import ScenarioFormat

/// What every recording delegate does with a call, whichever methods it has.
class LaneDelegate: NSObject, @unchecked Sendable {
    // Safety: immutable; the player is confined to the queue that delegate methods run on.
    let player: ClientLanePlayer

    init(_ player: ClientLanePlayer) { self.player = player }

    func label(_ task: URLSessionTask) -> String { player.labels.label(of: task) }

    func redirect(
        _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
        _ reply: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let player = player
        player.told(.redirect, label(task)) { event in
            event.describe(response, for: player)
            event.to = request.url.map { "\(request.httpMethod ?? "GET") \(player.origins.scenarioText(of: $0))" }
        }
        player.asked(.redirect, label(task)) { reply(player.redirected($0, proposed: request)) }
    }

    func challenge(
        _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge,
        _ reply: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        player.told(.challenge, label(task)) { event in
            event.realm = space.realm
            event.previousFailures = challenge.previousFailureCount
            let isBasic = space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
            event.method = isBasic ? "basic" : space.authenticationMethod
            event.status = (challenge.failureResponse as? HTTPURLResponse)?.statusCode
        }
        player.asked(.challenge, label(task)) { answer in
            let (disposition, credential) = ClientLanePlayer.disposition(answer)
            reply(disposition, credential)
        }
    }

    func needStream(_ task: URLSessionTask, _ reply: @escaping @Sendable (InputStream?) -> Void) {
        player.told(.needStream, label(task))
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
        player.told(.delayedRequest, label(task)) { event in
            event.to = request.url.map { "\(request.httpMethod ?? "GET") \(player.origins.scenarioText(of: $0))" }
        }
        player.asked(.delayedRequest, label(task)) { answer in
            switch answer {
            case .cancelDelayed: reply(.cancel, nil)
            case .rewrite: reply(.useNewRequest, player.redirected(answer, proposed: request))
            default: reply(.continueLoading, nil)
            }
        }
    }

    /// The stream begins where the server's part of the body ends.
    func needStream(_ task: URLSessionTask, from offset: Int64, _ reply: @escaping @Sendable (InputStream?) -> Void) {
        player.told(.needStream, label(task)) { $0.offset = Int(clamping: offset) }
        player.asked(.needStream, label(task)) { answer in
            guard case .stream(let content?) = answer else { return reply(nil) }
            reply(InputStream(data: Data(LaneRequest.data(content).dropFirst(Int(clamping: offset)))))
        }
    }

    func sent(_ task: URLSessionTask, _ bytes: Int64, _ total: Int64, _ expected: Int64) {
        player.told(.sent, label(task)) { event in
            event.bytes = Int(clamping: bytes)
            event.total = Int(clamping: total)
            event.expected = Int(clamping: expected)
        }
    }

    func measured(_ task: URLSessionTask, _ metrics: URLSessionTaskMetrics) {
        player.told(.metrics, label(task)) { $0.metrics = SeenMetrics(metrics, for: player) }
    }
}

/// The delegate of most cases: every method but the one about metrics, whose presence alone changes how a task goes.
final class RecordingDelegate: RecordingMethods, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable
{
    // Safety: adds no state.
}

/// For cases that speak of metrics.
final class MeasuringDelegate: RecordingMethods, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable
{
    // Safety: adds no state.

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        measured(task, metrics)
    }
}

/// Records each call and answers each question by the lane's rules.
class RecordingMethods: QuestionMethods, @unchecked Sendable {
    // Safety: adds no state.

    override func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
        player.told(.created, label(task))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        player.told(.informational, label(task)) { $0.describe(response, for: player) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        player.told(.response, label(dataTask)) { event in
            event.describe(response, for: player)
            event.method = dataTask.currentRequest?.httpMethod
        }
        player.asked(.response, label(dataTask)) { answer in
            switch answer {
            case .cancelResponse: completionHandler(.cancel)
            case .becomeDownload: completionHandler(LaneSession.becomeDownload)
            default: completionHandler(.allow)
            }
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
        // Known by its identifier, which it must share with the task that it was.
        player.becameDownload(downloadTask, label(downloadTask))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        player.tookData(data, label(dataTask))
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        // The file goes when this method returns.
        let content = SeenContent(file: location)
        player.journal.update(label(downloadTask)) { $0.body = content ?? SeenContent() }
        player.told(.file, label(downloadTask)) { $0.content = content }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        player.told(.wrote, label(downloadTask)) { event in
            event.bytes = Int(clamping: bytesWritten)
            event.total = Int(clamping: totalBytesWritten)
            event.expected = Int(clamping: totalBytesExpectedToWrite)
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        player.told(.resumed, label(downloadTask)) { event in
            event.offset = Int(clamping: fileOffset)
            event.expected = Int(clamping: expectedTotalBytes)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        player.completed(label(task), error, task.response)
    }
}
