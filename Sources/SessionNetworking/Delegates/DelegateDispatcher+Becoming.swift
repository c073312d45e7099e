#if !canImport(Darwin)
import ClientMachines
import Foundation

/// A data task becomes a download task (BEHAVIOUR 1.B14).
extension DelegateDispatcher {
    /// On the engine's thread: from here on the machine's calls are for the download task.
    func becameDownload(_ task: URLSessionTask) {
        guard let dataTask = task as? URLSessionDataTask else { return }
        let download = dataTask.handOver()
        state.withLock { $0.tasks[TaskID(download.identifier)] = download }
        leave(.job { [weak self] in self?.tellBecame(dataTask, download) })
    }

    private func tellBecame(_ dataTask: URLSessionDataTask, _ download: URLSessionDownloadTask) {
        guard let session = dataTask.session else { return }
        for faces in candidates(.becameDownload, for: download) {
            guard let delegate = faces.data else { continue }
            if faces.call(.becameDownload, { delegate.urlSession(session, dataTask: dataTask, didBecome: download) }) {
                return
            }
        }
    }
}

extension URLSessionDataTask {
    /// Ends this object without calling a delegate, and gives away all that it has.
    fileprivate func handOver() -> URLSessionDownloadTask {
        shared.withLock { state in
            let download = URLSessionDownloadTask(succeeding: self, state)
            state.gate.complete()
            state.delegate = nil
            state.progress = nil
            state.bodyStreams = BodyStreams()
            state.loading = nil
            state.successor = download
            return download
        }
    }
}
#endif
