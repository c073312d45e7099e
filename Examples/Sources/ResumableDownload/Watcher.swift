import Foundation
import SessionNetworking
import Synchronization

/// Pauses a download after every stretch, and puts the finished file in its place.
final class Watcher: NSObject, URLSessionDownloadDelegate {
    enum End: Sendable {
        case finished
        /// With what the next task goes on from.
        case paused(Data?)
        case failed(any Error)
    }

    private struct State {
        var first: Int64?
        var isPausing = false
        var moveError: (any Error)?
        var end: CheckedContinuation<End, Never>?
    }

    private let stretch: Int64
    private let file: URL
    private let state = Mutex(State())

    init(_ stretch: Int64, _ file: URL) {
        self.stretch = stretch
        self.file = file
    }

    /// Runs a task to its end, or to its next pause.
    func end(of task: URLSessionDownloadTask, pausing: Bool) async -> End {
        await withCheckedContinuation { continuation in
            state.withLock { $0 = State(isPausing: !pausing, end: continuation) }
            task.resume()
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        let pauses = state.withLock { state in
            let first = state.first ?? totalBytesWritten - bytesWritten
            state.first = first
            guard !state.isPausing, totalBytesWritten - first >= stretch else { return false }
            state.isPausing = true
            return true
        }
        // The same data comes with the error below.
        if pauses { downloadTask.cancel(byProducingResumeData: { _ in }) }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        // The file goes when this method returns.
        do { try keep(location, downloadTask.response) } catch { state.withLock { $0.moveError = error } }
    }

    /// In two moves: the first may be a copy from another disk, which a kill can cut short; the second is at once.
    private func keep(_ location: URL, _ response: URLResponse?) throws {
        // With any status, the body is a file; 416 says that the part that was here is the whole.
        guard let status = (response as? HTTPURLResponse)?.statusCode, [200, 206, 416].contains(status) else {
            throw URLError(.badServerResponse)
        }
        let near = file.appendingPathExtension("part")
        try? FileManager.default.removeItem(at: near)
        try FileManager.default.moveItem(at: location, to: near)
        try FileManager.default.moveItem(at: near, to: file)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (isPausing, moveError, continuation) = state.withLock { state in
            defer { state.end = nil }
            return (state.isPausing, state.moveError, state.end)
        }
        if let error, isPausing, (error as? URLError)?.code == .cancelled {
            continuation?.resume(returning: .paused((error as? URLError)?.downloadTaskResumeData))
        } else if let error = error ?? moveError {
            continuation?.resume(returning: .failed(error))
        } else {
            continuation?.resume(returning: .finished)
        }
    }
}
