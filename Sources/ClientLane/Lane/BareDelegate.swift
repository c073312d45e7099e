import Foundation
import Judge
import ScenarioFormat

/// Has only the methods that bring results: tasks tell and ask nothing else (BEHAVIOUR 1.A4).
final class BareDelegate: LaneDelegate, URLSessionDataDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
    // Safety: adds no state.

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        player.becameInvalid(session)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        player.tookData(data, dataTask, by: self)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        file(downloadTask, location)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        completed(task, error)
    }
}
