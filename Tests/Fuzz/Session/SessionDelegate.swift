import Foundation
import SessionNetworking

/// The delegate of a run: tells the run of each call, and answers as the input says.
final class FullDelegate: AskedMethods, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
    // Safety: adds no state.
}

/// The same with the method whose presence changes how a task goes.
final class MeasuringDelegate: AskedMethods, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
    // Safety: adds no state.

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        run?.told(.metrics, task)
    }
}

/// The same with questions that are awaited.
final class AwaitingDelegate: ToldMethods, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
    // Safety: adds no state.

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) async -> URLRequest? {
        await answer(.redirect, .redirect, task).redirect(request)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await answer(.challenge, .challenge, task).challenge
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse
    ) async -> URLSession.ResponseDisposition {
        await answer(.response, .response, dataTask).response
    }

    func urlSession(_ session: URLSession, needNewBodyStreamForTask task: URLSessionTask) async -> InputStream? {
        await answer(.needStream, .stream, task).stream(from: 0)
    }

    private func answer(_ question: QuestionWord, _ name: CallName, _ task: URLSessionTask) async -> AnswerWord {
        run?.told(name, task)
        return await withCheckedContinuation { continuation in
            guard let run else { return continuation.resume(returning: .yes) }
            run.asked(question) { continuation.resume(returning: $0) }
        }
    }
}

/// Questions with a handler.
class AskedMethods: ToldMethods, @unchecked Sendable {
    // Safety: adds no state.

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        run?.told(.redirect, task)
        run?.asked(.redirect) { completionHandler($0.redirect(request)) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        run?.told(.challenge, task)
        run?.asked(.challenge) { completionHandler($0.challenge.0, $0.challenge.1) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        run?.told(.response, dataTask)
        run?.asked(.response) { completionHandler($0.response) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        run?.told(.stream, task)
        run?.asked(.needStream) { completionHandler($0.stream(from: 0)) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        run?.told(.stream, task)
        run?.asked(.needStream) { completionHandler($0.stream(from: offset)) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        run?.told(.delayed, task)
        run?.asked(.delayed) { answer in
            switch answer {
            case .yes, .later: completionHandler(.continueLoading, nil)
            case .no: completionHandler(.cancel, nil)
            case .other: completionHandler(.useNewRequest, AnswerWord.elsewhere)
            }
        }
    }
}

/// What needs no answer.
class ToldMethods: NSObject, @unchecked Sendable {
    // Safety: the reference never changes; used on the simulation's thread.
    weak let run: SessionRun?

    init(_ run: SessionRun) { self.run = run }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        run?.becameInvalid()
    }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) { run?.told(.created, task) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        run?.told(.sent, task)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        run?.told(.interim, task)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
        run?.became(downloadTask, dataTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        run?.told(.data, dataTask)
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        run?.check(file, downloadTask.response, of: run?.tasks.first { $0.task === downloadTask })
        run?.told(.file, downloadTask)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        run?.told(.wrote, downloadTask)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        run?.told(.resumedAt, downloadTask)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        run?.told(.complete, task)
    }
}

extension AnswerWord {
    static let elsewhere = URL(string: "http://b.test/elsewhere").map { URLRequest(url: $0) }

    fileprivate func redirect(_ request: URLRequest) -> URLRequest? {
        switch self {
        case .yes, .later: request
        case .no: nil
        case .other: Self.elsewhere
        }
    }

    fileprivate var challenge: (URLSession.AuthChallengeDisposition, URLCredential?) {
        switch self {
        case .yes, .later: (.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
        case .no: (.cancelAuthenticationChallenge, nil)
        case .other: (.rejectProtectionSpace, nil)
        }
    }

    fileprivate var response: URLSession.ResponseDisposition {
        switch self {
        case .yes, .later: .allow
        case .no: .cancel
        case .other: .becomeDownload
        }
    }

    fileprivate func stream(from offset: Int64) -> InputStream? {
        switch self {
        case .yes, .later: InputStream(data: RunFolder.content.prefix(100).dropFirst(Int(clamping: offset)))
        case .other: MultipartFormData(boundary: "b").makeInputStream(from: offset)
        case .no: nil
        }
    }
}
