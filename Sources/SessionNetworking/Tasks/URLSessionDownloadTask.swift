#if !canImport(Darwin)
import Foundation

/// A task that stores the response body in a temporary file.
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    // Safety: adds no state.

    /// Cancels the download and hands over what a later task needs to continue it.
    ///
    /// - Parameter completionHandler: Called once on the delegate queue, before the task's own completion, with the
    ///   resume data; with nil when the download cannot be continued: the request is not a GET, the server gave
    ///   neither a strong entity tag nor a modification date, it refused ranges, nothing was received yet, or the
    ///   task had already completed. The same data is in the error's `downloadTaskResumeData`.
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        cancelKeepingResumeData(completionHandler)
    }

    /// The same, to wait for; returns what the handler would be called with. Nil for a task that no session made.
    open func cancelByProducingResumeData() async -> Data? {
        guard session != nil else { return nil }
        return await withCheckedContinuation { continuation in
            cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
    }
}
#endif
