#if !canImport(Darwin)
import Foundation

/// A data task whose request body is given apart from its request: data, a file, or a stream of the delegate's.
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
    // Safety: adds no state.

    /// Cancels the upload and hands over what a later task needs to continue it.
    ///
    /// - Parameter completionHandler: Called once on the delegate queue, before the task's own completion, with the
    ///   resume data; with nil when the upload cannot be continued: the configuration does not ask for it, the server
    ///   has not said that it could, or the task had already completed. The same data is in the error's
    ///   `uploadTaskResumeData`.
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
