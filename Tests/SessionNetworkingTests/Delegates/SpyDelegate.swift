import Foundation

@testable import SessionNetworking

/// Implements every method, in the form with a completion handler, and notes each call with its own name.
final class SpyDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    struct Answers: Sendable {
        var redirect: @Sendable (URLRequest) -> URLRequest? = { $0 }
        var challenge = URLSession.AuthChallengeDisposition.performDefaultHandling
        var response = URLSession.ResponseDisposition.allow
        /// What happens with the file during the call.
        var file: @Sendable (URL) -> Void = { _ in }
    }

    let name: String
    let journal: Journal
    private let answers: Answers

    init(_ name: String, _ journal: Journal, _ answers: Answers = Answers()) {
        self.name = name
        self.journal = journal
        self.answers = answers
    }

    private func note(_ line: String) { journal.note("\(name) \(line)") }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        note("didBecomeInvalid")
    }

    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) { note("didCreateTask") }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note("willPerformHTTPRedirection \(response.statusCode) to \(request.url?.path ?? "-")")
        completionHandler(answers.redirect(request))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        note("didReceive challenge")
        completionHandler(answers.challenge, nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        note("needNewBodyStream")
        completionHandler(InputStream(data: Data("spy".utf8)))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note("didSendBodyData \(bytesSent), \(totalBytesSent) of \(totalBytesExpectedToSend)")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        note("didReceiveInformationalResponse \(response.statusCode)")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        note(
            "didFinishCollecting \(metrics.transactionMetrics.count), "
                + "state \(task.state == .running ? "running" : "other")")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let code = (error as? URLError).map { "\($0.code.rawValue)" } ?? "no error"
        note("didComplete \(code), state \(task.state == .completed ? "completed" : "other")")
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note("didReceive response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        completionHandler(answers.response)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("didReceive data \(data.count)")
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        note("didFinishDownloading, file \(FileManager.default.fileExists(atPath: location.path) ? "there" : "gone")")
        answers.file(location)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        note("didWriteData \(bytesWritten), \(totalBytesWritten) of \(totalBytesExpectedToWrite)")
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        note("didResumeAtOffset \(fileOffset) of \(expectedTotalBytes)")
    }
}
